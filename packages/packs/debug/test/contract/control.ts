/** Steps, exceptions, pauses, threads and children. */
import { describe, expect, test } from 'vitest'
import type { ExceptionMode } from '../../src/engine/debug-session.ts'
import { Recorder } from './recorder.ts'
import type { Workbench } from './workbench.ts'

export function declareControl({ fixture, source, mark, start, startAt, nameOf, condition }: Workbench): void {
  test('steps into, out of and over, and tells the new place each time', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    await session.setBreakpoints(source, [])
    const step = async (kind: 'over' | 'into' | 'out') => {
      await session.step(stop.threadId, kind)
      const { reason, threadId } = await recorder.nextStop()
      expect(reason).toBe('step')
      return recorder.top(threadId)
    }
    const inside = await step('into')
    expect(inside.name).toMatch(nameOf('add'))
    const next = await step('over')
    expect(next.name).toMatch(nameOf('add'))
    expect(next.place?.line).toBeGreaterThan(inside.place?.line ?? 0)
    const outside = await step('out')
    expect(outside.name).toMatch(nameOf('run'))
    const after = await step('over')
    expect(after.name).toMatch(nameOf('run'))
    expect(after.place?.path).toBe(source)
  })

  describe('exceptions', () => {
    async function runWith(what: string, mode: ExceptionMode) {
      const recorder = await start(what)
      await recorder.session.setExceptionMode(mode)
      await recorder.session.run()
      return recorder
    }

    test.each(['uncaught', 'all'] as const)(
      'that nobody catches stop it with the mode "%s", with type and text',
      async (mode) => {
        if (mode === 'uncaught' && fixture.lacks.includes('exception uncaught')) {
          const recorder = await start('fail')
          await expectUnsupported(recorder.session.setExceptionMode(mode), /stopping at exceptions with the mode/)
          return
        }
        const recorder = await runWith('fail', mode)
        const stop = await recorder.nextStop()
        expect(stop.reason).toBe('exception')
        const frame = await recorder.topUserFrame(stop.threadId)
        expect(frame.place).toMatchObject({ path: source, line: mark('throw') })
        const info = await recorder.session.exceptionInfo(stop.threadId)
        expect(info?.type).toMatch(fixture.exception.type)
        expect(info?.message).toMatch(fixture.exception.message)
      },
    )

    test('stop nothing with the mode "none"', async () => {
      const recorder = await runWith('fail', 'none')
      await recorder.waitForEnd()
      expect(recorder.events.filter(({ type }) => type === 'stopped')).toEqual([])
    })

    test('that are caught stop it with the mode "all" only', async () => {
      const recorder = await runWith('caught', 'all')
      const stop = await recorder.nextStop()
      expect(stop.reason).toBe('exception')
      await recorder.session.continue(stop.threadId)
      await recorder.waitForOutput('caught')
      if (fixture.lacks.includes('exception uncaught')) return
      const unbothered = await runWith('caught', 'uncaught')
      await unbothered.waitForEnd()
      expect(unbothered.events.filter(({ type }) => type === 'stopped')).toEqual([])
    })
  })

  test('lacks what its row in docs/debug.md says, and nothing else', async () => {
    const { capabilities } = (await start('leave')).session
    expect(capabilities).toMatchObject({
      conditions: true,
      hitConditions: true,
      logpoints: true,
      setVariable: true,
      pause: true,
      children: !fixture.lacks.includes('child'),
    })
    const uncaught = fixture.lacks.includes('exception uncaught') ? [] : ['uncaught']
    expect(capabilities.exceptions).toEqual(['none', ...uncaught, 'all'])
  })

  test('pauses an endless loop and shows what it is doing', async () => {
    const recorder = await start('endless')
    const { session } = recorder
    await session.run()
    await recorder.waitForOutput('spinning')
    await session.pause()
    const stop = await recorder.nextStop()
    const frame = await recorder.topUserFrame(stop.threadId)
    expect(frame.place?.path).toBe(source)
    expect((await session.threads()).every(({ state }) => state === 'stopped')).toBe(true)
    await session.continue(stop.threadId)
    await expect(session.stack(stop.threadId, { start: 0, count: 1 })).rejects.toMatchObject({ code: 'E_NOT_PAUSED' })
  })

  test('stops at the first line when it is asked to, before anything has happened', async () => {
    const recorder = await start('run', { stopOnEntry: true })
    await recorder.session.run()
    const stop = await recorder.nextStop()
    expect(stop.reason).toBe('entry')
    expect(recorder.output).toBe('')
    await recorder.session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 45')
  })

  test('stops both of two threads at their line, one after the other or together', async () => {
    const { recorder, session } = await startAt('threads', 'thread')
    const lengths = new Set<string>()
    while (lengths.size < 2) {
      const stop = await recorder.nextStop()
      const seen = new Set<number>()
      // Both may stand there at once, and one continue lets both go: whoever stops while the other is looked at counts.
      for (;;) {
        const standing = (await session.threads()).filter(({ id, state }) => state === 'stopped' && !seen.has(id))
        if (standing.length === 0) break
        for (const { id } of standing) {
          seen.add(id)
          // A thread that waits inside the runtime may have no stack to show.
          const frame = await recorder.top(id).catch(() => undefined)
          if (frame?.place?.path !== source || frame.place.line !== mark('thread')) continue
          // A number is shown as such by every debugger: the length of `first` or of `second`.
          lengths.add((await recorder.locals(frame.id)).find(({ name }) => name === 'value')?.value ?? '')
        }
      }
      expect([...seen]).toContain(stop.threadId)
      recorder.forgetStops()
      await session.continue(stop.threadId)
    }
    await recorder.waitForEnd()
    expect([...lengths].sort()).toEqual(['5', '6'])
    expect(recorder.output).toContain('joined')
  })

  test('debugs a child process with the same breakpoints', async () => {
    if (fixture.lacks.includes('child')) {
      await expectUnsupported(start('leave', { options: { subProcess: true } }), /does not follow the processes/)
      return
    }
    const { recorder } = await startAt('child', 'loop', { condition })
    const { session: child } = await recorder.next('child')
    const childRecorder = new Recorder(child)
    const stop = await childRecorder.nextStop()
    const frame = await childRecorder.top(stop.threadId)
    expect(frame.place).toMatchObject({ path: source, line: mark('loop') })
    expect((await child.evaluate('total', { frameId: frame.id, context: 'watch' })).value).toBe('10')
    await child.continue(stop.threadId)
    await childRecorder.waitForEnd()
    await recorder.waitForEnd()
    expect(recorder.output).toContain('child said 0')
  })
}

async function expectUnsupported(refused: Promise<unknown>, message: RegExp): Promise<void> {
  await expect(refused).rejects.toMatchObject({
    code: 'E_UNSUPPORTED_CAPABILITY',
    message: expect.stringMatching(message),
  })
}
