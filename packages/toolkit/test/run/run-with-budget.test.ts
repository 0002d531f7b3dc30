import { SwitchboardError } from '@switchboard/protocol/errors'
import { createCall, FakeClock, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import type { ToolContext } from '../../src/index.ts'
import { callTool, createSmallPack, declare } from '../helpers/small-pack.ts'

/** Goes on until its signal is aborted, then fails with the reason. */
const waitForAbort = (_params: unknown, { signal }: ToolContext) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

const TIMED = declare('a.wait', {
  timeoutMs: 2_000,
  input: {
    type: 'object',
    properties: { timeoutMs: { type: 'integer' } },
    additionalProperties: false,
  },
})

function start(run: Parameters<typeof createSmallPack>[0][number][1]) {
  const clock = new FakeClock()
  let started = false
  const { pack, log } = createSmallPack(
    [
      [
        TIMED,
        (params, context) => {
          started = true
          return run(params, context)
        },
      ],
    ],
    { clock },
  )
  return { clock, pack, log, running: () => waitFor(() => started) }
}

describe('a run whose time is over', () => {
  it('is told by its signal, and answered with E_TIMEOUT', async () => {
    const { clock, pack, running } = start(waitForAbort)
    const answer = callTool(pack, 'a_wait')
    await running()
    clock.advance(2_000)
    expect((await answer).error).toEqual({
      code: 'E_TIMEOUT',
      category: 'timeout',
      message: 'a_wait took longer than its 2 s',
      hint: 'Call again, with a larger timeoutMs where the tool has that parameter.',
      executed: 'unknown',
      retryable: true,
      retryAfterMs: null,
      details: { budgetMs: 2_000 },
    })
  })

  it('has longer when its parameter timeoutMs says so, with room to answer by itself', async () => {
    const { clock, pack, running } = start(waitForAbort)
    const answer = callTool(pack, 'a_wait', { timeoutMs: 10_500 })
    await running()
    clock.advance(11_499)
    expect(pack.status().inFlight).toBe(1)
    clock.advance(1)
    expect((await answer).error.message).toBe('a_wait took longer than its 11500 ms')
  })

  it('has no more than the caller gives the whole call', async () => {
    const { clock, pack, running } = start(waitForAbort)
    const answer = callTool(pack, 'a_wait', {}, createCall({ timeout: 50 }))
    await running()
    clock.advance(50)
    expect((await answer).error.message).toBe('a_wait took longer than its 50 ms')
  })

  it('may still give what it has', async () => {
    const { clock, pack, running } = start(
      (_params, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ data: 'still running' }))),
    )
    const answer = callTool(pack, 'a_wait')
    await running()
    clock.advance(2_000)
    expect((await answer).envelope).toMatchObject({ ok: true, data: 'still running' })
  })

  it('and that ignores it is answered for, and the answer says so', async () => {
    const late = Promise.withResolvers<{ data: unknown }>()
    const { clock, pack, log, running } = start(() => late.promise)
    const answer = callTool(pack, 'a_wait')
    await running()
    clock.advance(2_000)
    await Promise.resolve()
    clock.advance(500)
    await Promise.resolve()
    const { error } = await advanceUntil(clock, answer)
    expect(error).toMatchObject({
      code: 'E_TIMEOUT',
      message: 'a_wait took longer than its 2 s; it did not stop when it was told to and may still be running',
      details: { stillRunning: true },
    })
    late.reject(new Error('much later'))
    await waitFor(() => log.entries.length > 0)
    expect(log.entries).toMatchObject([{ level: 'warn', cat: 'toolkit.late', data: { error: 'Error: much later' } }])
  })
})

describe('a run that is cancelled', () => {
  it('stops by its signal and is answered with E_CANCELLED and the reason', async () => {
    const { pack, running } = start(waitForAbort)
    const controller = new AbortController()
    const answer = callTool(pack, 'a_wait', {}, createCall({ signal: controller.signal }))
    await running()
    controller.abort(new SwitchboardError('cancelled', 'The client cancelled the call'))
    expect((await answer).error).toMatchObject({
      code: 'E_CANCELLED',
      message: 'a_wait was cancelled: The client cancelled the call',
      executed: 'unknown',
    })
    expect(pack.status()).toMatchObject({ inFlight: 0 })
  })

  it('may throw the AbortError of what it waited for', async () => {
    const { pack, running } = start(
      (_params, { signal }) =>
        new Promise<never>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
        ),
    )
    const controller = new AbortController()
    const answer = callTool(pack, 'a_wait', {}, createCall({ signal: controller.signal }))
    await running()
    controller.abort()
    expect((await answer).error.code).toBe('E_CANCELLED')
  })

  it('before it began never begins', async () => {
    let runs = 0
    const { pack } = start(() => ({ data: ++runs }))
    const { error } = await callTool(pack, 'a_wait', {}, createCall({ signal: AbortSignal.abort() }))
    expect(error.code).toBe('E_CANCELLED')
    expect(runs).toBe(0)
  })

  it('and ignores it is answered after the grace', async () => {
    const { clock, pack, running } = start(() => new Promise(() => undefined))
    const controller = new AbortController()
    const answer = callTool(pack, 'a_wait', {}, createCall({ signal: controller.signal }))
    await running()
    controller.abort()
    const { error } = await advanceUntil(clock, answer)
    expect(error).toMatchObject({ code: 'E_CANCELLED', details: { stillRunning: true } })
  })
})

/** The grace begins some turns after the abort: time is moved until the answer is there. */
async function advanceUntil<T>(clock: FakeClock, answer: Promise<T>): Promise<T> {
  let isThere = false
  void answer.finally(() => {
    isThere = true
  })
  await waitFor(() => {
    clock.advance(100)
    return isThere
  })
  return answer
}
