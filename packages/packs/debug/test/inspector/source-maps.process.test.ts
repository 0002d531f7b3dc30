import { relative } from 'node:path'
import { stop, transformSync } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'
import { breakpoint } from '../contract/recorder.ts'
import { lineOf } from '../helpers/debug-bench.ts'
import { createNodeBench } from './node-bench.ts'

const SOURCE = `interface Price {
  amount: number
}

type Rate = number

function discount(price: Price, rate: Rate): number {
  const cut = price.amount * rate
  const rest = price.amount - cut
  return rest
}

console.log(discount({ amount: 100 }, 0.25))
`

// Its process stays for all tests, so it is there before the first one counts.
transformSync('')
afterAll(() => stop())

describe('a compiled program', () => {
  const bench = createNodeBench()

  type Make = (folder: string) => { source: string; program: string }

  const compile =
    (
      format: 'cjs' | 'esm',
      change: (map: Record<string, unknown>) => unknown,
      where: 'file' | 'inline' = 'file',
    ): Make =>
    (folder) => {
      const source = bench.write(`${folder}/src/app.ts`, SOURCE)
      const name = `${folder}/dist/app.${format === 'cjs' ? 'cjs' : 'mjs'}`
      const { code, map } = transformSync(SOURCE, {
        loader: 'ts',
        format,
        sourcemap: 'external',
      })
      const changed = JSON.stringify(
        change({ ...JSON.parse(map), sources: [relative(bench.path(`${folder}/dist`), source)] }),
      )
      const url =
        where === 'file' ? 'app.js.map' : `data:application/json;base64,${Buffer.from(changed).toString('base64')}`
      if (where === 'file') bench.write(`${folder}/dist/app.js.map`, changed)
      const program = bench.write(name, `${code}\n//# sourceMappingURL=${url}\n`)
      return { source, program }
    }
  const asItIs = (map: Record<string, unknown>) => map

  test.each<[string, Make]>([
    ['CommonJS with a map beside it', compile('cjs', asItIs)],
    ['a module with a map beside it', compile('esm', asItIs)],
    ['CommonJS with its map inside', compile('cjs', asItIs, 'inline')],
    ['a module with its map inside', compile('esm', asItIs, 'inline')],
    [
      'a map with a root of its sources',
      compile('cjs', (map) => ({ ...map, sourceRoot: '../src', sources: ['app.ts'] })),
    ],
    [
      'a map of sections',
      compile('esm', (map) => ({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map }] })),
    ],
  ])('stops in its source, shows its variables and steps by its lines: %s', async (title, make) => {
    const { source, program } = make(title.replace(/\W/g, '-'))
    const { recorder, session, threadId } = await bench.runTo(program, source, 'const cut')
    const frame = await recorder.top(threadId)
    expect(frame).toMatchObject({
      name: 'discount',
      place: { path: source, line: lineOf(SOURCE, 'const cut') },
      isUser: true,
    })
    await session.step(threadId, 'over')
    await recorder.nextStop()
    const next = await recorder.top(threadId)
    expect(next.place).toMatchObject({ path: source, line: lineOf(SOURCE, 'const rest') })
    const locals = await recorder.locals(next.id)
    expect(locals.find(({ name }) => name === 'cut')?.value).toBe('25')
    await session.continue(threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toBe('75\n')
  })

  test('stops in a source whose code is loaded later, also when the breakpoint is set while it runs', async () => {
    const { source, program } = compile('cjs', asItIs)('later')
    const main = bench.write('later/main.cjs', `debugger\nrequire(${JSON.stringify(program)})\n`)
    const recorder = await bench.start(main)
    const { session } = recorder
    await session.run()
    const { threadId } = await recorder.nextStop()
    const [state] = await session.setBreakpoints(source, [breakpoint(lineOf(SOURCE, 'return rest'))])
    expect(state?.verified).toBe(true)
    await session.continue(threadId)
    const stop = await recorder.nextStop()
    expect((await recorder.top(stop.threadId)).place).toMatchObject({
      path: source,
      line: lineOf(SOURCE, 'return rest'),
    })
  })

  test('stops in the source of a library, also when it is loaded already', async () => {
    const { source, program } = compile('cjs', asItIs)('node_modules/library')
    const main = bench.write(
      'uses.cjs',
      `const run = () => require(${JSON.stringify(program)})\nrun()\ndelete require.cache[${JSON.stringify(program)}]\ndebugger\nrun()\n`,
    )
    const recorder = await bench.start(main)
    const { session } = recorder
    await session.run()
    const { threadId } = await recorder.nextStop()
    const line = lineOf(SOURCE, 'const cut')
    expect(await session.setBreakpoints(source, [breakpoint(line)])).toEqual([{ id: `at-${line}`, verified: true }])
    await session.continue(threadId)
    const stop = await recorder.nextStop()
    expect((await recorder.top(stop.threadId)).place).toMatchObject({ path: source, line })
  })

  test('moves a breakpoint from a line of which no code was made, and says where to', async () => {
    const { source, program } = compile('cjs', asItIs)('moved')
    const recorder = await bench.start(program)
    await recorder.session.setBreakpoints(source, [{ id: 'type', line: lineOf(SOURCE, 'interface Price') }])
    await recorder.session.run()
    const stop = await recorder.nextStop()
    const states = recorder.events.flatMap((event) => (event.type === 'breakpoint' ? event.state : []))
    const { place } = await recorder.top(stop.threadId)
    expect(place?.line).toBeGreaterThan(1)
    expect(states.at(-1)).toEqual({ id: 'type', verified: true, line: place?.line })
  })

  test('runs as it is when its map is broken or missing', async () => {
    const program = bench.write('broken/app.cjs', 'console.log(1)\n//# sourceMappingURL=nowhere.map\n')
    const other = bench.write('broken/other.cjs', 'console.log(2)\n//# sourceMappingURL=data:application/json,{{{\n')
    for (const path of [program, other]) {
      const { recorder, session, threadId } = await bench.runTo(path, path, 'console.log')
      expect((await recorder.top(threadId)).place).toMatchObject({ path, line: 1 })
      await session.continue(threadId)
      await recorder.waitForEnd()
    }
  })
})
