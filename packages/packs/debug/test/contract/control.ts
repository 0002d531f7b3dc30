/** Steps, exceptions, pauses, threads and children. */
import { describe, expect, test } from 'vitest'
import { Recorder } from './recorder.ts'
import type { Workbench } from './workbench.ts'

export function declareControl({ fixture, source, mark, start, startAt, nameOf, condition }: Workbench): void {
  // Without the formatters of its language a debugger shows how a list or a text is stored, not what is in it.
  const testRich = fixture.lacks.includes('formatters') ? () => {} : test
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
    async function runWith(what: string, mode: 'uncaught' | 'all') {
      const recorder = await start(what)
      await recorder.session.setExceptionMode(mode)
      await recorder.session.run()
      return recorder
    }

    test.each(['uncaught', 'all'] as const)(
      'that nobody catches stop it with the mode "%s", with type and text',
      async (mode) => {
        if (fixture.lacks.includes(`exception ${mode}`)) {
          const recorder = await start('fail')
          await expect(recorder.session.setExceptionMode(mode)).rejects.toMatchObject({
            code: 'E_UNSUPPORTED_CAPABILITY',
          })
          expect(recorder.session.capabilities.exceptions).not.toContain(mode)
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

    // Where nothing is thrown and caught there is nothing to tell apart.
    const testCaught = fixture.lacks.includes('exception caught') ? () => {} : test
    testCaught('that are caught stop it with the mode "all" only', async () => {
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
    expect(recorder.output).toBe('')
    await recorder.session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 45')
  })

  testRich('stops both of two threads at their line, one after the other or together', async () => {
    const { recorder, session } = await startAt('threads', 'thread')
    const names = new Set<string>()
    while (names.size < 2) {
      const stop = await recorder.nextStop()
      const threads = await session.threads()
      expect(threads.some(({ id, state }) => id === stop.threadId && state === 'stopped')).toBe(true)
      // Both may stand there at once; one continue lets both go.
      for (const { id } of threads) {
        // A thread that waits inside the runtime may have no stack to show.
        const frame = await recorder.top(id).catch(() => undefined)
        if (frame?.place?.path !== source || frame.place.line !== mark('thread')) continue
        const name = (await recorder.locals(frame.id)).find((variable) => variable.name === 'name')?.value ?? ''
        names.add(/first|second/.exec(name)?.[0] ?? name)
      }
      recorder.forgetStops()
      await session.continue(stop.threadId)
    }
    await recorder.waitForEnd()
    expect([...names].sort()).toEqual(['first', 'second'])
    expect(recorder.output).toContain('joined')
  })

  test('debugs a child process with the same breakpoints', async () => {
    if (fixture.lacks.includes('child')) {
      const recorder = await start('leave')
      expect(recorder.session.capabilities.children).toBe(false)
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
