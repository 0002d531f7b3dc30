/** Stepping through what lies in node_modules: real packages, as npm has installed them. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type DebugWorkspace, lineOf, useDebugBench } from '../helpers/debug-bench.ts'

const bench = useDebugBench()
const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

const LONG = 120_000

const APP = `const ms = require('ms')
const { Range } = require('tiny-range')
const before = 1
const long = ms('2 days')
const range = new Range('>=1.2')
console.log(before, long, range.min)
`

/** Called by the application, calls the application, calls another file of its own, and runs text. */
const RANGE = `const { parse } = require('./parse.js')
class Range {
  constructor(text) {
    this.text = text
    const parts = parse(text)
    this.min = parts[1]
    const calc = new Function('a', 'return a\\n+ "!"')
    this.note = calc(this.min)
    this.done = true
  }
}
exports.Range = Range
`
const PARSE = `exports.parse = function parse(text) {
  const at = text.search(/\\d/)
  return [text.slice(0, at), text.slice(at)]
}
`

async function createLibraryWorkspace(app = APP): Promise<DebugWorkspace> {
  const workspace = await bench.createWorkspace({
    'app.js': app,
    'node_modules/tiny-range/package.json': '{"name":"tiny-range","main":"range.js"}',
    'node_modules/tiny-range/range.js': RANGE,
    'node_modules/tiny-range/parse.js': PARSE,
  })
  await cp(join(MODULES, 'ms'), join(workspace.root, 'node_modules/ms'), { recursive: true })
  return workspace
}

const MS = 'node_modules/ms/index.js'
const TINY = 'node_modules/tiny-range/range.js'

async function stepLines({ call }: DebugWorkspace, tool: string, count: number): Promise<unknown[]> {
  const places: unknown[] = []
  for (let step = 0; step < count; step++) {
    const { data } = await call(tool)
    places.push(`${String(data.path).split('/').at(-1)}:${data.line}`)
  }
  return places
}

describe('a step in a library', () => {
  test('stays in the frame that it was asked to step in', { timeout: LONG }, async () => {
    const workspace = await createLibraryWorkspace()
    const text = await readFile(join(workspace.root, MS), 'utf8')
    const line = lineOf(text, 'var match = /')
    const start = await workspace.call('debug_start', { program: 'app.js', breakpoints: [{ path: MS, line }] })
    expect(start.data).toMatchObject({ path: MS, line, function: 'parse' })
    const step = await workspace.call('debug_step_over')
    expect(step.data).toMatchObject({ event: 'stopped', path: MS, function: 'parse' })
    expect(step.data.line).toBeGreaterThan(line)
    const out = await workspace.call('debug_step_out')
    expect(out.data).toMatchObject({ event: 'stopped', path: MS, function: 'module.exports' })
    expect((await workspace.call('debug_continue')).data).toMatchObject({ event: 'terminated', exitCode: 0 })
  })

  test('goes on to the caller in the end, passes over other files, and stops in no text without a file', {
    timeout: LONG,
  }, async () => {
    const workspace = await createLibraryWorkspace()
    const line = lineOf(RANGE, 'this.text')
    await workspace.call('debug_start', { program: 'app.js', breakpoints: [{ path: TINY, line }] })
    const lines = await stepLines(workspace, 'debug_step_into', 7)
    expect(lines).toEqual([
      'range.js:5',
      'range.js:6',
      'range.js:7',
      'range.js:8',
      'range.js:9',
      'range.js:10',
      'app.js:6',
    ])
  })

  test('is one also where the whole program lies in a library', { timeout: LONG }, async () => {
    const workspace = await createLibraryWorkspace()
    const program = 'node_modules/tiny-range/cli.js'
    await workspace.write(
      program,
      "const { Range } = require('tiny-range')\nconst range = new Range('1')\nrange.x = 1\n",
    )
    await workspace.call('debug_start', { program, stopOnEntry: true })
    expect(await stepLines(workspace, 'debug_step_over', 2)).toEqual(['cli.js:2', 'cli.js:3'])
  })

  test('comes into the file of a breakpoint from outside, and with libraries into every file', {
    timeout: LONG,
  }, async () => {
    const workspace = await createLibraryWorkspace()
    const breakpoints = [{ path: 'app.js', line: lineOf(APP, 'new Range') }]
    await workspace.call('debug_start', { program: 'app.js', breakpoints })
    expect(await stepLines(workspace, 'debug_step_into', 1)).toEqual(['app.js:6'])
    await workspace.call('debug_start', { program: 'app.js', libraries: true })
    const lines = await stepLines(workspace, 'debug_step_into', 3)
    expect(lines).toEqual(['range.js:4', 'range.js:5', 'parse.js:2'])
    await workspace.call('breakpoint_add', { path: TINY, line: lineOf(RANGE, 'this.done') })
    await workspace.call('debug_start', { program: 'app.js' })
    expect(await stepLines(workspace, 'debug_step_into', 1)).toEqual(['range.js:4'])
  })

  test('holds also where a configuration skips libraries', { timeout: LONG }, async () => {
    const workspace = await createLibraryWorkspace()
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's own
    const program = '${workspaceFolder}/app.js'
    const configuration = {
      name: 'app',
      type: 'node',
      request: 'launch',
      program,
      skipFiles: ['<node_internals>/**', '**/node_modules/**'],
    }
    await workspace.write('.vscode/launch.json', JSON.stringify({ configurations: [configuration] }))
    const line = lineOf(RANGE, 'this.text')
    await workspace.call('debug_start', { launch: 'app', breakpoints: [{ path: TINY, line }] })
    expect(await stepLines(workspace, 'debug_step_over', 2)).toEqual(['range.js:5', 'range.js:6'])
  })
})

test('a trace of a function of a library tells every line of it', { timeout: LONG }, async () => {
  const { call } = await createLibraryWorkspace()
  const trace = await call('debug_trace_function', { program: 'app.js', path: TINY, line: lineOf(RANGE, 'this.text') })
  expect(trace.text).toMatch(/enter Range\(.*text=">=1.2".*\) →4 .*→5 .*→6 .*→7 .*→8 .*→9 .*returned/)
  const whole = await call('debug_trace_function', { program: 'app.js', path: MS, function: 'parse' })
  expect(whole.data).toMatchObject({ outcome: 'returned', returned: '172800000' })
})

test('a stop in a library tells who called it, also where that is a library', { timeout: LONG }, async () => {
  const { call } = await createLibraryWorkspace()
  const path = 'node_modules/tiny-range/parse.js'
  const start = await call('debug_start', { program: 'app.js', breakpoints: [{ path, line: 2 }] })
  expect(start.text).toContain(`from Range ${TINY}:5 < (top level) app.js:5`)
})
