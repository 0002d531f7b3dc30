/** Stepping through what lies in site-packages. */
import { execFile } from 'node:child_process'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { lineOf, useDebugBench } from '../../helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 120_000
const APP = `from tiny.range import parse
result = parse(">=1.2")
print(result)
`
const RANGE = `from tiny.cut import cut
def parse(text):
    at = text.find("1")
    parts = cut(text, at)
    return parts
`
const CUT = `def cut(text, at):
    return [text[:at], text[at:]]
`

/** What the interpreter itself takes for a folder of libraries. */
async function createWorkspace() {
  const workspace = await bench.createWorkspace({ 'app.py': APP })
  const env = { PYTHONUSERBASE: workspace.root }
  const script = 'import site; print(site.getusersitepackages())'
  const { stdout } = await promisify(execFile)('python3', ['-c', script], { env: { ...process.env, ...env } })
  const folder = join(relative(workspace.root, stdout.trim()), 'tiny')
  await workspace.write(join(folder, 'range.py'), RANGE)
  await workspace.write(join(folder, 'cut.py'), CUT)
  await workspace.write(join(folder, '__init__.py'), '')
  return { ...workspace, env, file: join(folder, 'range.py'), inner: join(folder, 'cut.py') }
}

describe('a library of Python', () => {
  test('is stepped through where it has a breakpoint, and passed over elsewhere', { timeout: LONG }, async () => {
    const { call, env, file } = await createWorkspace()
    const line = lineOf(RANGE, 'at = text')
    const start = await call('debug_start', { program: 'app.py', env, breakpoints: [{ path: file, line }] })
    expect(start.data).toMatchObject({ event: 'stopped', path: file, line })
    expect((await call('debug_step_over')).data).toMatchObject({ path: file, line: line + 1 })
    expect((await call('debug_step_into')).data).toMatchObject({ path: file, line: line + 2 })
    expect((await call('debug_continue')).data).toMatchObject({ event: 'terminated', exitCode: 0 })
  })

  test('is stepped out of to its caller, also in another file of a library', { timeout: LONG }, async () => {
    const { call, env, file, inner } = await createWorkspace()
    const line = lineOf(CUT, 'return')
    await call('debug_start', { program: 'app.py', env, breakpoints: [{ path: inner, line }] })
    const out = await call('debug_step_out')
    expect(out.data).toMatchObject({ event: 'stopped', path: file, line: lineOf(RANGE, 'parts = cut') })
    expect((await call('debug_step_over')).data).toMatchObject({ path: file, line: lineOf(RANGE, 'return parts') })
    expect((await call('debug_step_over')).data).toMatchObject({ path: 'app.py' })
  })

  test('is passed over without a word of it in the output', { timeout: LONG }, async () => {
    const { call, env } = await createWorkspace()
    const breakpoints = [{ path: 'app.py', line: lineOf(APP, 'result = ') }]
    await call('debug_start', { program: 'app.py', env, breakpoints })
    const step = await call('debug_step_into')
    expect(step.data).toMatchObject({ path: 'app.py', line: lineOf(APP, 'print') })
    expect(step.data).not.toHaveProperty('output')
  })

  test('is stepped into from outside when all libraries are wanted, and only then', { timeout: LONG }, async () => {
    const { call, env, file } = await createWorkspace()
    const breakpoints = [{ path: 'app.py', line: lineOf(APP, 'result = ') }]
    await call('debug_start', { program: 'app.py', env, breakpoints })
    expect((await call('debug_step_into')).data).toMatchObject({ path: 'app.py' })
    await call('debug_stop')
    await call('debug_start', { program: 'app.py', env, libraries: true })
    expect((await call('debug_step_into')).data).toMatchObject({ path: file })
  })

  test('is traced line by line', { timeout: LONG }, async () => {
    const { call, env, file } = await createWorkspace()
    const trace = await call('debug_trace_function', { program: 'app.py', env, path: file, function: 'parse' })
    expect(trace.text).toContain("→3 at=2 →4 parts=['>=', '1.2'] →5 returned")
  })
})
