/** A program that never comes to an end: every call has its answer in time, which says what is going on and what to do. */
import type { JsonObject } from '@switchboard/protocol'
import { expect, test } from 'vitest'
import type { HardshipBench } from './hardship-bench.ts'

const NEXT = /still running after .* \(s\d+\); next: debug_wait_for_hit, debug_pause, debug_stop/

export function declareEndless(bench: HardshipBench): void {
  const { call, start, mark, file, endless, endsEvaluations } = bench

  const pause = async (): Promise<void> =>
    expect((await call('debug_pause', { timeoutMs: 20_000 })).data).toMatchObject({
      event: 'stopped',
      reason: 'pause',
      path: file,
    })
  const waitForOutput = (text: string) =>
    expect.poll(async () => (await call('dap_logs')).text, { timeout: 30_000 }).toContain(text)

  test('an endless loop is answered for by every call that waits; each can be cancelled; the next call works', async () => {
    expect((await start(['endless'], { timeoutMs: 100 })).text).toMatch(NEXT)
    await waitForOutput('spinning')
    const cancel = async (tool: string, args: JsonObject = {}): Promise<void> => {
      const abort = new AbortController()
      const waiting = call(tool, { timeoutMs: 50_000, ...args }, { signal: abort.signal })
      abort.abort()
      expect(await waiting).toMatchObject({ code: 'E_CANCELLED' })
    }
    const waited = await call('debug_wait_for_hit', { timeoutMs: 100 })
    expect(waited).toMatchObject({ code: 'E_TIMEOUT', text: expect.stringMatching(/still running.*debug_pause/) })
    await cancel('debug_wait_for_hit')
    const early = await call('debug_evaluate', { expression: 'turns' })
    expect(early).toMatchObject({ code: 'E_NOT_PAUSED', text: expect.stringContaining('debug_pause') })
    await pause()

    const target = { path: file, line: mark('after') }
    const waits: [string, JsonObject][] = [
      ['debug_continue', {}],
      ['debug_run_to', target],
    ]
    for (const [tool, args] of waits) {
      expect((await call(tool, { ...args, timeoutMs: 100 })).text).toMatch(NEXT)
      await pause()
      await cancel(tool, args)
      await pause()
    }
    // Where a line is the whole loop a step runs on; elsewhere it comes to an end.
    const steps: [string, JsonObject][] = [
      ['debug_step_over', {}],
      ['debug_step_out', {}],
      ['debug_continue', { until: { condition: 'turns < 0' } }],
    ]
    for (const [tool, args] of steps) {
      const { isError, data, text } = await call(tool, { ...args, timeoutMs: 200 })
      expect(isError, text).toBe(false)
      if (data.event !== 'stopped') expect(text).toMatch(NEXT)
      await call('debug_pause', { timeoutMs: 20_000 })
      await cancel(tool, args)
      await call('debug_pause', { timeoutMs: 20_000 })
    }
    const traced = { path: file, function: 'add' }
    expect(await call('debug_trace_function', { ...traced, timeoutMs: 200 })).toMatchObject({
      code: 'E_TIMEOUT',
      text: expect.stringMatching(/time was over before .* was reached/),
    })
    // A debugger may just be busy with taking the breakpoint of the trace away: then the answer says to ask again.
    const paused = async () => (await call('debug_pause', { timeoutMs: 10_000 })).data.event
    await expect.poll(paused, { timeout: 60_000 }).toBe('stopped')
    await cancel('debug_trace_function', traced)
    expect((await call('debug_restart', { timeoutMs: 100 })).text).toMatch(NEXT)
    expect((await call('debug_stop')).text).toMatch(/^stopped s\d+/)
  })

  test('an expression that never ends is told of, and so is what is asked while it goes on', async () => {
    await start(['run'], { breakpoints: [{ path: file, line: mark('loop') }] })
    const late = await call('debug_evaluate', { expression: endless, context: 'repl', timeoutMs: 300 })
    expect(late).toMatchObject({
      code: 'E_TIMEOUT',
      text: expect.stringMatching(
        /took longer than 300 ms and was ended|not evaluated after 300 ms; the program is still/,
      ),
    })
    expect(late.text).toContain(endless)
    expect(late.text).toMatch(/debug_stop/)
    if (endsEvaluations) {
      await expect
        .poll(async () => (await call('debug_evaluate', { expression: 'total' })).text, { timeout: 15_000 })
        .toBe('0')
      expect((await call('debug_step_over')).data).toMatchObject({ event: 'stopped', reason: 'step' })
    } else {
      const busy = await call('debug_step_over')
      expect(busy.text).toMatch(/^\[E_OPERATION_FAILED\] The program is still evaluating ".*end it with debug_stop/s)
      expect(busy.text).toContain(endless)
      expect((await call('debug_status')).text).toContain('still evaluating')
      expect((await call('debug_restart')).data).toMatchObject({ event: 'stopped', line: mark('loop') })
    }
  })

  test('probing a loop without end gives what was seen until the time was over', async () => {
    const points = [{ path: file, line: mark('endless'), expressions: ['turns'] }]
    const wish = { program: bench.program, args: ['endless'], points, maxHits: 2 }
    let text = ''
    const whole = /turns=0\n.* was reached \d+ times; the first are shown\nThe time was over/s
    // On a busy machine a short time is not even enough to begin, or for one turn only.
    for (const timeoutMs of [1_500, 6_000, 30_000]) {
      if (!whole.test(text)) text = (await call('debug_probe', { ...wish, timeoutMs })).text
    }
    expect(text).toMatch(whole)
  })

  test('one that ignores SIGTERM and SIGINT is restarted and ended', async () => {
    await start(['stubborn'], { wait: false })
    await waitForOutput('stubborn')
    expect((await call('debug_restart', { timeoutMs: 100 })).data).toMatchObject({ event: 'running' })
    await waitForOutput('stubborn')
    expect((await call('debug_stop')).data).toMatchObject({ stoppedCount: 1 })
  })
}
