import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useDebugBench } from './helpers/debug-bench.ts'

const bench = useDebugBench()

const SHOP = `interface Item { price: number }
function total(items: Item[], token: string): number {
  let sum = 0
  for (const item of items) {
    const price = item.price
    sum += price
  }
  return sum + token.length
}
const big = Array.from({ length: 5000 }, (_, index) => index)
const story = 'word '.repeat(2000)
console.log('begin')
console.log(total([{ price: 1 }, { price: 2 }], 'ghp_0123456789abcdefghij0123456789abcdef'))
console.log(big.length, story.length)
`

async function startShop(line: number, args = {}) {
  await bench.write('shop.ts', SHOP)
  return bench.call('debug_start', { program: 'shop.ts', breakpoints: [{ path: 'shop.ts', line }], ...args })
}

describe('TypeScript without any configuration', { timeout: 90_000 }, () => {
  test('is run to a line, stepped and ended in three calls and 800 bytes, with all locals', async () => {
    const start = await startShop(6)
    expect(start.data).toMatchObject({
      event: 'stopped',
      path: 'shop.ts',
      line: 6,
      function: 'total',
      output: 'begin\n',
    })
    const names = (start.data.locals as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['price', 'item', 'items', 'sum', 'token']))
    const step = await bench.call('debug_step_over')
    expect(step.text).toContain('sum=1 (was 0)')
    const stop = await bench.call('debug_stop')
    const bytes = [start, step, stop].reduce((size, { text }) => size + Buffer.byteLength(text), 0)
    expect(bytes).toBeLessThanOrEqual(800)
    expect(JSON.stringify([start, step, stop])).not.toContain('ghp_0123456789')
  })

  test('is paged through: an array, and a text', async () => {
    const start = await startShop(14)
    expect(start.text).toMatch(/story="word word .*…\(\+\d+\)/)
    const page = await bench.call('variable_get', { expression: 'big', start: 4000, count: 3, filter: 'indexed' })
    expect(page.data).toMatchObject({
      children: [{ value: '4000' }, { value: '4001' }, { value: '4002' }],
      pagination: { start: 4000, shown: 3, hasMore: true },
    })
    const text = await bench.call('variable_get', { expression: 'story', start: 5, count: 1 })
    expect(text.text).toMatch(/^"word word .*"… \(\d+ characters more: start=45\)$/)
    const list = await bench.call('variable_list', { maxDepth: 3 })
    expect(list.data).toMatchObject({ truncated: true })
    expect(list.text.length).toBeLessThan(17_000)
  })

  test('goes on with a value that an agent has set', async () => {
    await startShop(6)
    expect((await bench.call('variable_set', { name: 'sum', value: '1000' })).text).toBe('sum=1000')
    await bench.call('breakpoint_clear_project')
    const end = await bench.call('debug_continue')
    expect(end.text).toMatch(/^ended: exit code 0 \(s1\)\nout: 1043\n5000 10000$/)
    expect((await bench.call('variable_set', { name: 'sum', value: '1' })).code).toBe('E_NO_SESSION')
  })

  test('refuses to set what is not there, and says what is near', async () => {
    await startShop(6)
    const refused = await bench.call('variable_set', { name: 'summ', value: '1' })
    expect(refused.text).toMatch(/^\[E_VARIABLE_NOT_FOUND\] There is no variable "summ" here \(did you mean "sum"\?\)/)
    const failed = await bench.call('debug_evaluate', { expression: 'nonesuch + 1' })
    expect(failed.code).toBe('E_EVALUATE_FAILED')
    expect((await bench.call('debug_scopes', { frameId: 99_999 })).code).toBe('E_STALE_REFERENCE')
    const wrong = await bench.call('breakpoint_add', { path: 'shop.ts', line: 6, condition: 'a ===' })
    expect(wrong.text).toMatch(/unbound: The condition "a ===" is no expression/)
  })

  test('writes a large variable into the workspace, and nowhere else', async () => {
    await startShop(14)
    const saved = await bench.call('variable_save', { outputPath: 'out/big.jsonl', expression: 'big', maxItems: 1200 })
    expect(saved.data).toMatchObject({ outputPath: 'out/big.jsonl', counts: { indexed: 1200 }, truncatedByLimit: true })
    const lines = (await readFile(join(bench.workspace, 'out/big.jsonl'), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(1201)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'metadata', expression: 'big' })
    expect(JSON.parse(lines[1200] ?? '')).toMatchObject({ type: 'indexed', name: '1199', value: '1199' })
    const again = await bench.call('variable_save', { outputPath: 'out/big.jsonl', expression: 'big' })
    expect(again.code).toBe('E_FILE_EXISTS')
    const outside = await bench.call('variable_save', { outputPath: '../big.jsonl', expression: 'big' })
    expect(outside.code).toBe('E_OUTSIDE_WORKSPACE')
    const plain = await bench.call('variable_save', { outputPath: 'x.jsonl', expression: '1 + 1' })
    expect(plain.code).toBe('E_NOT_EXPANDABLE')
  })
})

describe('what programs do to a debugger', { timeout: 90_000 }, () => {
  test('an exception that nobody catches is a stop, with its type, text and place', async () => {
    await bench.write('fail.js', "function fail(depth) {\n  throw new RangeError('too deep: ' + depth)\n}\nfail(3)\n")
    const start = await bench.call('debug_start', { program: 'fail.js' })
    expect(start.data).toMatchObject({
      event: 'stopped',
      reason: 'exception',
      line: 2,
      exception: { type: 'RangeError', message: expect.stringContaining('too deep: 3') },
    })
    expect(start.text).toContain('RangeError: too deep: 3')
    expect((await bench.call('debug_continue')).data).toMatchObject({ event: 'terminated', exitCode: 1 })
  })

  test('an endless loop is answered for in time, paused, looked at and ended', async () => {
    await bench.write('loop.js', 'let turns = 0\nfor (;;) {\n  turns++\n}\n')
    const start = await bench.call('debug_start', { program: 'loop.js', timeoutMs: 1500 })
    expect(start.data).toMatchObject({ event: 'running' })
    expect((await bench.call('debug_pause')).data).toMatchObject({ event: 'stopped', path: 'loop.js' })
    expect((await bench.call('debug_evaluate', { expression: 'turns > 0' })).text).toBe('true')
    const hanging = await bench.call('debug_evaluate', { expression: '(() => { for (;;) {} })()', timeoutMs: 500 })
    expect(hanging.isError).toBe(true)
    expect(['E_TIMEOUT', 'E_EVALUATE_FAILED']).toContain(hanging.code)
    expect((await bench.call('debug_stop')).data).toMatchObject({ stoppedCount: 1 })
  })

  test('a program that ignores SIGTERM is ended all the same', async () => {
    await bench.write(
      'stubborn.js',
      "process.on('SIGTERM', () => {})\nsetInterval(() => {}, 1000)\nconsole.log('there')\n",
    )
    await bench.call('debug_start', { program: 'stubborn.js', wait: false })
    expect((await bench.call('debug_stop')).data).toMatchObject({ stoppedCount: 1 })
  })

  test('one that prints without end costs an agent a few hundred bytes', async () => {
    const print = "const line = 'x'.repeat(1023) + '\\n'\nfor (let i = 0; i < 20000; i++) process.stdout.write(line)\n"
    await bench.write('chatty.js', `${print}process.stdout.write('the end\\n')\n`)
    const start = await bench.call('debug_start', { program: 'chatty.js', timeoutMs: 60_000 })
    expect(start.data).toMatchObject({ event: 'terminated', exitCode: 0 })
    expect(start.data.droppedOutput).toBeGreaterThan(20_000_000)
    expect(start.text.length).toBeLessThan(500)
    expect(start.text).toMatch(/the end$/)
  })

  test('a child process stops as a session of its own', async () => {
    await bench.write(
      'parent.js',
      "require('node:child_process').fork(require('node:path').join(__dirname, 'child.js'))\n",
    )
    await bench.write('child.js', 'const answer = 42\nconsole.log(answer)\n')
    const start = await bench.call('debug_start', {
      program: 'parent.js',
      breakpoints: [{ path: 'child.js', line: 2 }],
    })
    expect(start.data).toMatchObject({ event: 'stopped', sessionId: 's1.1', path: 'child.js', line: 2 })
    expect((await bench.call('debug_evaluate', { expression: 'answer' })).text).toBe('42')
    expect((await bench.call('debug_continue')).data).toMatchObject({ event: 'terminated', sessionId: 's1' })
  })

  test('a breakpoint that was never bound is named when the program ends without a stop', async () => {
    await bench.write('plain.js', 'console.log(1)\n')
    const start = await bench.call('debug_start', {
      program: 'plain.js',
      breakpoints: [{ path: 'plain.js', line: 1, condition: 'a ===' }],
    })
    expect(start.text).toMatch(
      /^ended: exit code 0 \(s1\)\nnot bound: b1 plain\.js:1: The condition "a ===" is no expr/,
    )
  })

  test('two programs are debugged side by side', async () => {
    await bench.write('one.js', 'const name = "one"\nconsole.log(name)\n')
    await bench.write('two.js', 'const name = "two"\nconsole.log(name)\n')
    await bench.call('debug_start', { program: 'one.js', until: { line: 2 } })
    await bench.call('debug_start', { program: 'two.js', until: { line: 2 } })
    expect((await bench.call('debug_evaluate', { expression: 'name' })).text).toBe('"two"')
    expect((await bench.call('debug_evaluate', { expression: 'name', sessionId: 's1' })).text).toBe('"one"')
    expect((await bench.call('debug_stop', { all: true })).data).toMatchObject({ stoppedCount: 2 })
  })

  test('one that cannot even begin says why', async () => {
    await bench.write('broken.js', 'const = 1\n')
    const start = await bench.call('debug_start', { program: 'broken.js' })
    expect(`${start.text} ${JSON.stringify(start.data)}`).toMatch(/SyntaxError/)
    expect(start.text).not.toContain(bench.workspace)
  })

  test('a logpoint prints and never stops; a condition and a hit count choose the turn', async () => {
    await bench.write('turns.js', 'for (let i = 0; i < 5; i++) {\n  globalThis.last = i\n}\n')
    const logged = await bench.call('debug_start', {
      program: 'turns.js',
      breakpoints: [{ path: 'turns.js', line: 2, logMessage: 'turn {i}' }],
    })
    expect(logged.data).toMatchObject({ event: 'terminated', output: expect.stringContaining('turn 4') })
    await bench.call('breakpoint_add', { path: 'turns.js', line: 2, condition: 'i === 3' })
    await bench.call('debug_start', { program: 'turns.js' })
    expect((await bench.call('debug_evaluate', { expression: 'i' })).text).toBe('3')
    await bench.call('breakpoint_add', { path: 'turns.js', line: 2, hitCondition: '2' })
    await bench.call('debug_restart')
    expect((await bench.call('debug_evaluate', { expression: 'i' })).text).toBe('1')
  })
})
