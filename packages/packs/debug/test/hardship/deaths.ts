/** A debugger or a program that is killed in the middle: whoever waits is told, and nothing is left. */
import { descendantsOf, isAlive, listProcesses, type ProcessInfo, type Reading, waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import type { HardshipBench } from './hardship-bench.ts'

export function declareDeaths({ call, start, mark, file }: HardshipBench): void {
  const ours = async (): Promise<ProcessInfo[]> =>
    (await descendantsOf(process.pid)).filter(({ command }) => !command.includes('orphan-guard'))
  /** The first process below us: the adapter, or the program where there is none. */
  const findDebugger = async (): Promise<number> => {
    const found = await waitFor(async () => (await ours()).find(({ ppid }) => ppid === process.pid))
    return found.pid
  }
  /** The last process below us that has the argument. */
  const findOnPath = async (): Promise<number> => {
    const found = await waitFor(async () => (await ours()).findLast(({ command }) => /\bendless$/.test(command)))
    return found.pid
  }
  const startEndless = async (): Promise<void> => {
    await start(['endless'], { wait: false })
    await expect.poll(async () => (await call('dap_logs')).text, { timeout: 30_000 }).toContain('spinning')
  }
  const killAll = async (pids: readonly number[]): Promise<void> => {
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await waitFor(async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive))
  }
  const expectEnd = ({ data, text }: Reading): void => {
    expect(data, text).toMatchObject({ event: 'terminated' })
    expect(text).toMatch(/^ended: \w/)
  }

  test('the debugger is killed while the program runs: the wait ends and says so', async () => {
    await startEndless()
    const waiting = call('debug_wait_for_hit', { timeoutMs: 50_000 })
    await killAll([await findDebugger()])
    expectEnd(await waiting)
    expect(await call('debug_continue')).toMatchObject({ code: 'E_NO_SESSION' })
  })

  test('the program is killed while it runs, and while it stands', async () => {
    await startEndless()
    const waiting = call('debug_wait_for_hit', { timeoutMs: 50_000 })
    await killAll([await findOnPath()])
    expectEnd(await waiting)

    await start(['endless'], { breakpoints: [{ path: file, line: mark('endless') }] })
    process.kill(await findOnPath(), 'SIGKILL')
    const next = await call('debug_continue', { timeoutMs: 50_000 })
    if (next.isError) expect(next.code).toBe('E_NO_SESSION')
    else expectEnd(next)
  })

  test('the debugger is killed while it owes an answer', async () => {
    await start(['run'], { breakpoints: [{ path: file, line: mark('loop') }] })
    const pid = await findDebugger()
    process.kill(pid, 'SIGSTOP')
    await waitFor(async () => (await listProcesses()).some((found) => found.pid === pid && /^[Tt]/.test(found.state)))
    const owed = call('debug_evaluate', { expression: 'total', timeoutMs: 40_000 })
    await killAll([pid])
    expect(await owed).toMatchObject({ code: 'E_NO_SESSION' })
    await expect.poll(async () => (await call('debug_status')).data.isActive, { timeout: 20_000 }).toBe(false)
  })

  test('the debugger is killed while it starts the program', async () => {
    const starting = start(['run'], { breakpoints: [{ path: file, line: mark('loop') }] })
    await killAll([await findDebugger()])
    const { isError, code, text } = await starting
    if (isError) expect(['E_LAUNCH_FAILED', 'E_NO_SESSION'], text).toContain(code)
    // It may have been quicker than we, or what we met was only somebody who was asked about the interpreter.
    else await call('debug_stop')
    await expect.poll(async () => (await call('debug_status')).data.isActive, { timeout: 20_000 }).toBe(false)
    expect((await start(['run'])).data).toMatchObject({ event: 'stopped', line: mark('loop') })
  })
}
