/** How sessions end: by themselves, by us, and by accident. Nothing is ever left behind. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { descendantsOf, isAlive, listProcesses, waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import type { Workbench } from './workbench.ts'

export function declareEndings({ fixture, source, mark, start, startAt, launchOf }: Workbench): void {
  test('tells the exit code of a program that ends by itself, and nothing after that', async () => {
    const recorder = await start('leave')
    await recorder.session.run()
    const end = await recorder.waitForEnd()
    expect(end.error).toBeUndefined()
    expect(recorder.events.find(({ type }) => type === 'exited')).toMatchObject({ exitCode: 3 })
    expect(recorder.events.at(-1)).toEqual({ type: 'terminated' })
    expect(recorder.session.isEnded).toBe(true)
    await expect(recorder.session.threads()).rejects.toMatchObject({ code: 'E_SESSION_TERMINATED' })
  })

  test('starts again after a stop: the same breakpoint is hit', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const { recorder, session } = await startAt('run', 'loop')
      await recorder.nextStop()
      await session.stop()
      expect(recorder.events.at(-1)).toEqual({ type: 'terminated' })
    }
  })

  test('runs two sessions side by side that do not know of each other', async () => {
    const [one, other] = await Promise.all([startAt('run', 'loop'), startAt('run', 'after')])
    const [first, second] = await Promise.all([one.recorder.nextStop(), other.recorder.nextStop()])
    expect((await one.recorder.top(first.threadId)).place?.line).toBe(mark('loop'))
    expect((await other.recorder.top(second.threadId)).place?.line).toBe(mark('after'))
  })

  test('gets all of 40,000 lines, in order', async () => {
    const recorder = await start('chatty')
    await recorder.session.run()
    await recorder.waitForEnd()
    const lines = recorder.output.split('\n').filter((line) => /^\d+ x+$/.test(line))
    expect(lines).toHaveLength(40_000)
    expect(lines.at(-1)).toMatch(/^39999 /)
    expect(recorder.output).toContain('done')
  })

  /** What we started, without the guard. */
  async function ownChildren(): Promise<number[]> {
    if (fixture.listProcesses !== undefined) return fixture.listProcesses()
    const ours = await descendantsOf(process.pid)
    return ours
      .filter(({ ppid, command }) => ppid === process.pid && !command.includes('orphan-guard'))
      .map(({ pid }) => pid)
  }

  test('notices that its debugger was killed, says so, and leaves nothing behind', async () => {
    const before = new Set(await ownChildren())
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const started = (await ownChildren()).filter((pid) => !before.has(pid))
    expect(started.length).toBeGreaterThan(0)
    for (const pid of started) process.kill(pid, 'SIGKILL')
    const end = await recorder.waitForEnd()
    expect(end.error).toMatchObject({
      code: 'E_SESSION_TERMINATED',
      message: expect.stringMatching(/unexpectedly|killed|ended/),
    })
    await expect(session.evaluate('1', { frameId: frame.id, context: 'watch' })).rejects.toMatchObject({
      code: 'E_SESSION_TERMINATED',
    })
  })

  test('does not wait for ever for a debugger that is mute, and can still be ended', async () => {
    const before = new Set(await ownChildren())
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const started = (await ownChildren()).filter((pid) => !before.has(pid))
    for (const pid of started) process.kill(pid, 'SIGSTOP')
    await waitFor(async () => {
      const table = await listProcesses()
      return started.every((pid) => table.some((found) => found.pid === pid && /^[Tt]/.test(found.state)))
    })
    await expect(
      session.evaluate('i', { frameId: frame.id, context: 'watch' }, { timeout: 200 }),
    ).rejects.toMatchObject({ code: 'E_TIMEOUT' })
    const cancelled = new AbortController()
    const waiting = session.threads({ signal: cancelled.signal })
    cancelled.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'E_CANCELLED' })
    await session.stop({ grace: 100 })
    await waitFor(async () => (await Promise.all(started.map(isAlive))).every((alive) => !alive))
  })

  test('leaves nothing behind when our own process is killed', async () => {
    const driver = fileURLToPath(new URL('./hold-session.ts', import.meta.url))
    const launch = launchOf('run')
    const before = new Set(await ownChildren())
    const child = spawn(
      process.execPath,
      [
        '--conditions=switchboard-source',
        driver,
        fixture.engine.name,
        JSON.stringify(launch),
        source,
        String(mark('loop')),
      ],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
        // Killed like that it removes no temporary files: they lie in our folder.
        env: { ...process.env, TMPDIR: launch.cwd, ...fixture.holdEnvironment?.() },
      },
    )
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    await waitFor(() => said.includes('stopped'), { timeout: 60_000 })
    const below =
      fixture.listProcesses === undefined
        ? (await descendantsOf(child.pid ?? 0)).map(({ pid }) => pid)
        : (await fixture.listProcesses()).filter((pid) => !before.has(pid))
    expect(below.length).toBeGreaterThan(fixture.listProcesses === undefined ? 1 : 0)
    child.kill('SIGKILL')
    await exited
    await waitFor(async () => (await Promise.all(below.map(isAlive))).every((alive) => !alive), {
      timeout: 20_000,
    })
  })

  test('leaves nothing behind when the start is cancelled', async () => {
    const early = new AbortController()
    early.abort()
    await expect(start('run', {}, early.signal)).rejects.toMatchObject({ code: 'E_CANCELLED' })
    const late = new AbortController()
    const before = new Set(await ownChildren())
    const starting = start('endless', {}, late.signal).then(async (recorder) => {
      if (fixture.startsAtRun === true) await recorder.session.run({ signal: late.signal })
      return recorder
    })
    starting.catch(() => {})
    await waitFor(async () => (await ownChildren()).some((pid) => !before.has(pid)))
    late.abort()
    // It may have been quicker than we.
    await starting.then(
      ({ session }) => session.stop(),
      (error: unknown) => expect(error).toMatchObject({ code: 'E_CANCELLED' }),
    )
  })
}
