/** Breakpoints of every kind. */
import { expect, test } from 'vitest'
import type { Workbench } from './workbench.ts'

export function declareBreakpoints({ fixture, source, mark, start, startAt, nameOf, condition }: Workbench): void {
  test('stops at a breakpoint, says which, and shows where: function, file, line, whose code', async () => {
    const { recorder, session, states } = await startAt('run', 'loop')
    const bound = { id: `at-${mark('loop')}`, verified: true }
    if (fixture.startsAtRun !== true) expect(states).toEqual([bound])
    else expect((await recorder.next('breakpoint', ({ state }) => state.verified)).state).toEqual(bound)
    const stop = await recorder.nextStop()
    expect(stop.reason).toBe('breakpoint')
    expect(stop.breakpointIds).toEqual([`at-${mark('loop')}`])
    const { frames } = await session.stack(stop.threadId, { start: 0, count: 20 })
    expect(frames[0]).toMatchObject({ place: { path: source, line: mark('loop') }, isUser: true })
    expect(frames[0]?.name).toMatch(nameOf('run'))
    expect(frames.length).toBeGreaterThan(1)
  })

  test('stops only when the condition holds', async () => {
    const { recorder, session } = await startAt('run', 'loop', { condition })
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    expect((await session.evaluate('i', { frameId: frame.id, context: 'watch' })).value).toBe('5')
    await session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 45')
  })

  test.each([
    ['3', ['2']],
    ['>= 8', ['7', '8', '9']],
    ['% 4', ['3', '7']],
  ])('stops with the hit condition "%s" at the right turns, and at no other', async (hitCondition, turns) => {
    const { recorder, session } = await startAt('run', 'loop', { hitCondition })
    const seen: string[] = []
    for (const _ of turns) {
      const stop = await recorder.nextStop()
      const frame = await recorder.top(stop.threadId)
      seen.push((await session.evaluate('i', { frameId: frame.id, context: 'watch' })).value)
      await session.continue(stop.threadId)
    }
    await recorder.waitForEnd()
    expect(seen).toEqual(turns)
    expect(recorder.events.filter(({ type }) => type === 'stopped')).toHaveLength(turns.length)
  })

  test('prints what a logpoint says and never stops', async () => {
    const { recorder } = await startAt('run', 'add-return', { id: 'log-1', logMessage: 'result is {result}!' })
    await recorder.waitForEnd()
    expect(recorder.logsOf('log-1')).toEqual(
      [0, 1, 3, 6, 10, 15, 21, 28, 36, 45].map((result) => `result is ${result}!`),
    )
    expect(recorder.events.filter(({ type }) => type === 'stopped')).toEqual([])
    expect(recorder.output).toContain('total 45')
  })

  test('takes breakpoints away while the program stands', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    expect(await session.setBreakpoints(source, [])).toEqual([])
    await session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 45')
  })

  test('says why a breakpoint is not bound, or where it moved to', async () => {
    const recorder = await start('run')
    const [state] = await recorder.session.setBreakpoints(source, [{ id: 'far', line: 100_000 }])
    if (state?.verified) expect(state.line ?? 100_000).toBeGreaterThan(0)
    else expect(state?.message).toMatch(/\w/)
  })
}
