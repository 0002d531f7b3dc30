import { describe, expect, test } from 'vitest'
import type { Variable } from '../../src/engine/debug-session.ts'
import { createNodeBench } from './node-bench.ts'

const TEXT = `class Point { #secret = 3; constructor(x) { this.x = x } get double() { globalThis.ran = true; return this.x * 2 } }
const outer = 'closed over'
let count = 0
function look(argument) {
  const text = 'it\\'s "quoted"'
  const values = [-0, NaN, 12n, null, undefined, Symbol('s'), true]
  const point = new Point(4)
  const plain = { a: 1, get lazy() { globalThis.ran = true; return 1 }, 'odd name': 2 }
  const error = new RangeError('too far')
  const date = new Date(Date.UTC(2026, 0, 2, 3, 4, 5))
  const map = new Map(Array.from({ length: 1000 }, (_, i) => ['k' + i, i]))
  const set = new Set(['only'])
  const bytes = Buffer.from([1, 2, 3])
  const large = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => ['p' + i, i]))
  const promise = Promise.resolve(5)
  const proxy = new Proxy({ hidden: 1 }, { ownKeys() { globalThis.ran = true; return [] } })
  const mapped = (x) => x + 1
  count += 1
  const early = () => late
  return [early, outer, argument, text, values, point, plain, error, date, map, set, bytes, large, promise, proxy, mapped, count] // here
  const late = 1
}
look(1)
console.log('ran', globalThis.ran === true, 'count', count)
`

describe('values of a Node program', () => {
  const bench = createNodeBench()

  async function stopThere() {
    const program = bench.write('values.cjs', TEXT)
    const { recorder, session, threadId } = await bench.runTo(program, program, '// here')
    const frame = await recorder.top(threadId)
    const locals = new Map((await recorder.locals(frame.id)).map((variable) => [variable.name, variable]))
    const children = async (variable: Variable | undefined, start = 0, count = 100) =>
      (await session.variables(variable?.reference ?? 0, { start, count })).map(({ name, value }) => [name, value])
    return { recorder, session, threadId, frame, locals, children }
  }

  test('are printed short and right, and no getter or trap is run for it', async () => {
    const { recorder, session, threadId, locals, children } = await stopThere()
    const shown = Object.fromEntries([...locals].map(([name, { value }]) => [name, value]))
    expect(shown).toMatchObject({
      argument: '1',
      text: JSON.stringify('it\'s "quoted"'),
      values: '[-0, NaN, 12n, null, undefined, Symbol(s), true]',
      point: 'Point {#secret: 3, x: 4}',
      plain: '{a: 1, lazy: (…), odd name: 2}',
      error: 'RangeError: too far',
      date: '2026-01-02T03:04:05Z',
      set: 'Set(1) {"only"}',
      promise: 'Promise {<fulfilled>, 5}',
      mapped: 'ƒ',
      late: '<uninitialized>',
    })
    expect(shown.map).toMatch(/^Map\(1000\) \{"k0" → 0, /)
    expect(shown.bytes).toMatch(/\(3\) \[1, 2, 3/)
    expect(await children(locals.get('plain'))).toEqual([
      ['a', '1'],
      ['lazy', '(…)'],
      ['odd name', '2'],
    ])
    expect(await children(locals.get('point'))).toEqual([
      ['x', '4'],
      ['#secret', '3'],
    ])
    expect(await children(locals.get('proxy'))).toEqual([['[[Target]]', '{…}']])
    await session.continue(threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toBe('ran false count 1\n')
  })

  test('are read in parts: maps, sets, buffers, objects with many properties', async () => {
    const { session, locals, children } = await stopThere()
    const entries = await session.variables(locals.get('map')?.reference ?? 0, { start: 998, count: 10 })
    expect(entries.map(({ name, value }) => [name, value])).toEqual([
      ['998', '{key: "k998", value: 998}'],
      ['999', '{key: "k999", value: 999}'],
    ])
    expect(await children(locals.get('set'))).toEqual([['0', '"only"']])
    expect(await children(locals.get('bytes'), 1, 2)).toEqual([
      ['1', '2'],
      ['2', '3'],
    ])
    expect(await children(locals.get('large'), 1990, 3)).toEqual([
      ['p1990', '1990'],
      ['p1991', '1991'],
      ['p1992', '1992'],
    ])
  })

  test('have expressions that yield them again', async () => {
    const { session, frame, locals } = await stopThere()
    const [, , odd] = await session.variables(locals.get('plain')?.reference ?? 0, { start: 0, count: 10 })
    expect(odd?.expression).toBe('plain["odd name"]')
    const again = await session.evaluate(odd?.expression ?? '', { frameId: frame.id, context: 'watch' })
    expect(again.value).toBe('2')
  })

  test('are changed: of closures, of objects, by expressions; and what is wrong is said', async () => {
    const { recorder, session, threadId, frame, locals } = await stopThere()
    const scopes = await session.scopes(frame.id)
    const closure = scopes.find(({ kind }) => kind === 'closure')?.reference ?? 0
    expect(await session.setVariable(closure, 'count', 'count + 41')).toMatchObject({ value: '42' })
    const after = await session.variables(closure, { start: 0, count: 20 })
    expect(after.find(({ name }) => name === 'count')?.value).toBe('42')
    const plain = locals.get('plain')?.reference ?? 0
    expect(await session.setVariable(plain, 'a', '{ b: [1] }')).toMatchObject({ value: '{b: Array(1)}' })
    await expect(session.setVariable(closure, 'nonesuch', '1')).rejects.toMatchObject({ code: 'E_MODIFICATION_FAILED' })
    await expect(session.setVariable(plain, 'a', 'nonesuch')).rejects.toMatchObject({
      code: 'E_MODIFICATION_FAILED',
      message: expect.stringContaining('nonesuch'),
    })
    await expect(session.setVariable(locals.get('map')?.reference ?? 0, '0', '1')).rejects.toMatchObject({
      code: 'E_MODIFICATION_FAILED',
    })
    await session.continue(threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('count 42')
  })

  test('are evaluated without a change for a hover, and not for ever', async () => {
    const { session, frame } = await stopThere()
    const where = { frameId: frame.id, context: 'hover' as const }
    expect((await session.evaluate('point.x + 1', where)).value).toBe('5')
    await expect(session.evaluate('count = 5', where)).rejects.toMatchObject({ code: 'E_EVALUATE_FAILED' })
    await expect(
      session.evaluate('(() => { for (;;); })()', { frameId: frame.id, context: 'repl' }, { timeout: 100 }),
    ).rejects.toMatchObject({ code: 'E_TIMEOUT' })
    expect((await session.evaluate('1 + 1', { context: 'repl' })).value).toBe('2')
    expect((await session.evaluate('{ a: 1 }', { frameId: frame.id, context: 'repl' })).value).toBe('{a: 1}')
  })

  test('are evaluated and waited for in a program that runs', async () => {
    const program = bench.write('runs.cjs', `console.log('up')\nsetInterval(() => {}, 1000)\n`)
    const { session, waitForOutput } = await startRunning(program)
    await waitForOutput()
    expect((await session.evaluate('await Promise.resolve(6 * 7)', { context: 'repl' })).value).toBe('42')
    expect(await session.threads()).toEqual([{ id: 1, name: 'main', state: 'running' }])
  })

  async function startRunning(program: string) {
    const recorder = await bench.start(program)
    await recorder.session.run()
    return { session: recorder.session, waitForOutput: () => recorder.waitForOutput('up') }
  }

  test('are shown beside a text that is too large to be sent', async () => {
    const text = `const huge = 'z'.repeat(68 * 1024 * 1024)\nconst small = 1\nconsole.log(small, huge.length) // here\n`
    const program = bench.write('huge.cjs', text)
    const { recorder, session, threadId } = await bench.runTo(program, program, '// here')
    const frame = await recorder.top(threadId)
    const locals = await recorder.locals(frame.id)
    expect(locals.find(({ name }) => name === 'small')?.value).toBe('1')
    const huge = locals.find(({ name }) => name === 'huge')?.value ?? ''
    expect(huge).toMatch(/…\(\+\d+\)/)
    expect(huge.length).toBeLessThan(20_000)
    await expect(
      session.evaluate('huge', { frameId: frame.id, context: 'repl' }, { timeout: 120_000 }),
    ).rejects.toMatchObject({
      code: 'E_EVALUATE_FAILED',
      message: expect.stringContaining('64 MB'),
    })
    expect((await session.evaluate('huge.length', { frameId: frame.id, context: 'repl' })).value).toBe(
      String(68 * 1024 * 1024),
    )
  })

  test('are told by a logpoint as they are, also when one of its expressions fails', async () => {
    const program = bench.write('values.cjs', TEXT)
    const recorder = await bench.start(program)
    const line = TEXT.split('\n').findIndex((text) => text.includes('// here')) + 1
    await recorder.session.setBreakpoints(program, [
      { id: 'log', line, logMessage: '{text} {plain} {point} {nonesuch.x} {{}' },
      { id: 'other', line, logMessage: 'second {count}' },
    ])
    await recorder.session.run()
    await recorder.waitForEnd()
    const [told] = recorder.logsOf('log')
    expect(told).toMatch(
      /^"it's \\"quoted\\"" \{a: 1, lazy: \(…\), odd name: 2\} Point \{x: 4\} <ReferenceError: .*> \{\}$/,
    )
    expect(recorder.logsOf('other')).toEqual(['second 1'])
    expect(recorder.output).toBe('ran false count 1\n')
  })
})
