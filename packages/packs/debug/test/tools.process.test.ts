import { describe, expect, test } from 'vitest'
import { useDebugBench } from './helpers/debug-bench.ts'

const APP = `def total(items):
    sum = 0
    for item in items:
        sum += item
    return sum

def main():
    password = 'hunter2hunter2'
    numbers = [1, 2, 3]
    print('hello')
    result = total(numbers)
    print(result)

main()
`
const SPIN = `import time
print('spinning', flush=True)
turns = 0
while True:
    turns += 1
    time.sleep(0.01)
`

const bench = useDebugBench()

describe('a program under the debugger', { timeout: 90_000 }, () => {
  test('is run to a line, stepped and ended in three calls and at most 800 bytes', async () => {
    await bench.write('src/app.py', APP)
    const start = await bench.call('debug_start', {
      program: 'src/app.py',
      breakpoints: [{ path: 'src/app.py', line: 4 }],
    })
    expect(start.data).toMatchObject({
      event: 'stopped',
      sessionId: 's1',
      reason: 'breakpoint',
      breakpoints: ['b1'],
      path: 'src/app.py',
      line: 4,
      function: 'total',
      frames: [
        { name: 'main', path: 'src/app.py', line: 11 },
        { name: '<module>', path: 'src/app.py', line: 14 },
      ],
      output: 'hello\n',
    })
    const step = await bench.call('debug_step_over')
    expect(step.data).toMatchObject({ event: 'stopped', reason: 'step', line: 3 })
    expect(step.data.locals).toContainEqual({
      name: 'sum',
      value: '1',
      type: 'int',
      change: 'changed',
      from: '0',
    })
    const stop = await bench.call('debug_stop')
    expect(stop.data).toMatchObject({ status: 'terminated', stoppedSessions: ['s1'] })
    const bytes = [start, step, stop].reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
    expect(bytes).toBeLessThanOrEqual(800)
    expect(start.text).toContain('>4     sum += item')
  })

  test('follows breakpoint_add, debug_start and debug_evaluate', async () => {
    await bench.write('app.py', APP)
    const added = await bench.call('breakpoint_add', { path: 'app.py', line: 11 })
    expect(added.data.breakpoint).toMatchObject({ id: 'b1', path: 'app.py', line: 11, state: 'pending' })
    await bench.call('debug_start', { program: 'app.py' })
    const value = await bench.call('debug_evaluate', { expression: 'len(numbers) + 39' })
    expect(value).toMatchObject({ text: '42', data: { result: '42' } })
    const listed = await bench.call('breakpoint_list')
    expect(listed.data).toMatchObject({ total: 1, breakpoints: [{ state: 'bound' }] })
  })

  test('shows no value that looks like a secret, neither whole nor in pieces', async () => {
    await bench.write('app.py', APP)
    const start = await bench.call('debug_start', { program: 'app.py', until: { line: 11 } })
    const list = await bench.call('variable_list')
    const evaluated = await bench.call('debug_evaluate', { expression: 'password' })
    const seen = JSON.stringify([start, list, evaluated])
    expect(seen).not.toContain('hunter2')
    expect(start.text).toContain('password=[masked]')
    expect(evaluated.text).toBe('[masked]')
  })

  test('answers that it still runs when its time is over, and can then be paused and waited for', async () => {
    await bench.write('spin.py', SPIN)
    const start = await bench.call('debug_start', { program: 'spin.py', timeoutMs: 4000 })
    expect(start.data).toMatchObject({ event: 'running', sessionId: 's1' })
    expect(start.text).toMatch(/^still running after .*; next: debug_wait_for_hit, debug_pause, debug_stop/)
    const wait = await bench.call('debug_wait_for_hit', { timeoutMs: 100 })
    expect(wait).toMatchObject({ isError: true, code: 'E_TIMEOUT' })
    expect((await bench.call('debug_evaluate', { expression: 'turns' })).code).toBe('E_NOT_PAUSED')
    const pause = await bench.call('debug_pause')
    expect(pause.data).toMatchObject({ event: 'stopped', path: 'spin.py' })
    expect((await bench.call('debug_evaluate', { expression: 'turns > 0' })).text).toBe('True')
  })

  test('stays usable after a wait that was cancelled', async () => {
    await bench.write('spin.py', SPIN)
    await bench.call('debug_start', { program: 'spin.py', wait: false })
    const cancelling = new AbortController()
    const waiting = bench.call('debug_wait_for_hit', { timeoutMs: 300_000 }, { signal: cancelling.signal })
    cancelling.abort(new Error('the agent changed its mind'))
    expect(await waiting).toMatchObject({ isError: true, code: 'E_CANCELLED' })
    await bench.call('breakpoint_add', { path: 'spin.py', line: 5 })
    expect((await bench.call('debug_wait_for_hit')).data).toMatchObject({ event: 'stopped', line: 5 })
  })
})

describe('what is wrong is said', () => {
  test('without a session, with the next step', async () => {
    const { code, text } = await bench.call('debug_evaluate', { expression: '1' })
    expect(code).toBe('E_NO_SESSION')
    expect(text).toBe('[E_NO_SESSION] No debug session is active. Start one with debug_start.')
  })

  test('of parameters that are missing or mistyped, by name', async () => {
    const { code, text } = await bench.call('breakpoint_add', { line: '4' })
    expect(code).toBe('invalid_arguments')
    expect(text).toMatch(/path is required.*line must be an integer/)
  })

  test.each([
    ['breakpoint_add', { path: 'gone.py', line: 1 }, 'E_FILE_NOT_FOUND', /gone\.py/],
    ['breakpoint_add', { path: 'app.py', line: 99 }, 'E_INVALID_LINE', /app\.py has 14 lines/],
    ['breakpoint_remove', { path: 'app.py', line: 3 }, 'E_NOT_FOUND', /the file has none/],
    ['debug_start', { program: 'gone.py' }, 'E_FILE_NOT_FOUND', /gone\.py/],
    ['debug_start', { program: 'app.py', language: 'pyhton' }, 'E_UNSUPPORTED_LANGUAGE', /did you mean "python"/],
    ['debug_start', { launch: 'Server' }, 'E_NOT_FOUND', /launch\.json/],
    [
      'debug_start',
      {},
      'invalid_arguments',
      /The arguments of debug_start are wrong: they need one of launch, program/,
    ],
    ['debug_start', { attach: { port: 1 } }, 'invalid_arguments', /debug_start are wrong: attach needs language/],
    [
      'debug_probe',
      { points: [{ path: 'app.py', line: 4, expressions: ['1'] }] },
      'invalid_arguments',
      /they need program/,
    ],
    ['debug_stop', { sessionId: 's7' }, 'E_NO_SESSION', /no debug session s7/],
  ] as const)('by %s with %o', async (tool, args, code, message) => {
    await bench.write('app.py', APP)
    const answer = await bench.call(tool, args)
    expect(answer.code).toBe(code)
    expect(answer.text).toMatch(message)
    expect(answer.text).not.toContain(bench.workspace)
  })

  test('of a caller without a workspace', async () => {
    const answer = await bench.call('debug_start', { program: 'app.py' }, { hasWorkspace: false })
    expect(answer.code).toBe('E_NO_WORKSPACE')
    expect(answer.text).toContain('over HTTP, give debug_start an absolute `folder`')
  })

  test('of no such caller that names its folder: that is its workspace from then on', async () => {
    await bench.write('app.py', APP)
    const rest = { hasWorkspace: false }
    const start = await bench.call(
      'debug_start',
      { program: 'app.py', folder: bench.workspace, until: { line: 9 } },
      rest,
    )
    expect(start.data).toMatchObject({ event: 'stopped', path: 'app.py', line: 9 })
    expect((await bench.call('breakpoint_add', { path: 'app.py', line: 11 }, rest)).text).toBe('b1 app.py:11 bound')
  })
})
