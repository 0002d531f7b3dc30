/** One daemon for one home, whatever happens to its holder. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { connectIpc } from '@switchboard/daemon/client'
import { descendantsOf, expectNoProcessLeft, findByMarker, fixtureCommand, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { connectTo, openDaemon, pathsOf, spawnDaemon, startedDaemon } from '../helpers/daemon-bench.ts'
import { useWorkbench } from '../helpers/workbench.ts'

describe('a second daemon', () => {
  const bench = useWorkbench()

  it('exits with 78 and names the holder', async () => {
    const first = await startedDaemon(spawnDaemon(bench))
    const second = bench.program(['daemon'])
    expect(await second.ended).toBe(78)
    expect(second.err()).toContain(`pid ${first.pid}`)
    expect(second.err()).toContain('version 0.1.0')
    expect(second.err()).toContain('lock_held')
    // The first one is none the worse for it.
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ ok: true, pid: first.pid })
  })

  it('is refused in the same process too, and says who has it', async () => {
    const { daemon } = await openDaemon(bench)
    await expect(openDaemon(bench)).rejects.toMatchObject({
      code: 'lock_held',
      details: { pid: process.pid, epoch: daemon.info.epoch, startedAt: daemon.info.started_at },
    })
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ ok: true })
  })

  it('starts when the first one is killed, with a higher epoch and the same socket', async () => {
    const killed = spawnDaemon(bench)
    const before = await startedDaemon(killed)
    killed.child.kill('SIGKILL')
    await killed.ended
    // What it could not clear away is there, and in nobody's way.
    expect((await stat(before.endpoint)).isSocket()).toBe(true)
    const after = await startedDaemon(spawnDaemon(bench))
    expect(after.epoch).toBeGreaterThan(before.epoch)
    expect(after.endpoint).toBe(before.endpoint)
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ pid: after.pid, epoch: after.epoch })
  })

  it.runIf(process.platform === 'linux')(
    'ends what the first one left that was killed together with its guard',
    async () => {
      const marker = `one-daemon-${process.pid}-${Date.now()}`
      const script = {
        marker,
        ignoreEof: true,
        ignoreSignals: true,
        grandchild: { detached: true, ignoreSigterm: true },
      }
      await bench.writeConfig({ mcpServers: { a: fixtureCommand(script) } })
      const killed = spawnDaemon(bench)
      const { pid } = await startedDaemon(killed)
      // Between them stands a third for a moment, in the server's group.
      const areBothThere = async (): Promise<boolean> => {
        const found = await findByMarker(marker)
        return found.length === 2 && new Set(found.map(({ pgid }) => pgid)).size === 2
      }
      await waitFor(areBothThere, { what: 'the server and its grandchild' })
      const guard = (await descendantsOf(pid)).find(({ command }) => command.includes('orphan-guard'))
      // A guard that was killed while its daemon lives is replaced, so it must not notice before it is killed itself.
      killed.child.kill('SIGSTOP')
      process.kill(guard?.pid ?? 0, 'SIGKILL')
      killed.child.kill('SIGKILL')
      await killed.ended
      await bench.writeConfig({ mcpServers: {} })
      expect(await findByMarker(marker)).toHaveLength(2)
      await startedDaemon(spawnDaemon(bench))
      await expectNoProcessLeft(marker, 20_000)
    },
  )

  it('is refused while the first one is stopped in its tracks', async () => {
    const holder = spawnDaemon(bench)
    const { pid } = await startedDaemon(holder)
    holder.child.kill('SIGSTOP')
    try {
      const second = bench.program(['daemon'])
      expect(await second.ended).toBe(78)
      expect(second.err()).toContain(`pid ${pid}`)
    } finally {
      holder.child.kill('SIGCONT')
    }
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ ok: true, pid })
  })
})

describe('the lock', () => {
  const bench = useWorkbench()

  it('is won by exactly one of eight that start at once', async () => {
    const programs = Array.from({ length: 8 }, () => spawnDaemon(bench))
    const winner = await Promise.any(programs.map(startedDaemon))
    const losers = programs.filter((program) => program.pid !== winner.pid)
    expect(losers).toHaveLength(7)
    expect(await Promise.all(losers.map((program) => program.ended))).toEqual(losers.map(() => 78))
    const refusals = losers.map((program): unknown => JSON.parse(program.out()))
    expect(refusals).toEqual(losers.map(() => expect.objectContaining({ ok: false, error: LOCK_HELD })))
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ pid: winner.pid })
  })

  it('is not dropped by reading the other files of its folder', async () => {
    const { daemon } = await openDaemon(bench)
    const { run, lock } = pathsOf(bench)
    for (const name of await readdir(run)) {
      const path = `${run}/${name}`
      if (path !== lock && (await stat(path)).isFile()) await readFile(path)
    }
    daemon.status()
    expect(await bench.program(['daemon']).ended).toBe(78)
  })

  it('is free again after an orderly end, and nothing but the two files of SQLite is left', async () => {
    const program = spawnDaemon(bench)
    await startedDaemon(program)
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    expect((await readdir(pathsOf(bench).run)).sort()).toEqual(['daemon.lock', 'epoch.db'])
    const next = await startedDaemon(spawnDaemon(bench))
    expect(next.epoch).toBe(2)
  })

  it('is given back when the configuration is wrong, and nothing is left listening', async () => {
    await expect(openDaemon(bench, { gateway: { nothing: 1 } } as object)).rejects.toMatchObject({
      code: 'invalid_configuration',
    })
    expect((await readdir(pathsOf(bench).run)).sort()).toEqual(['daemon.lock', 'epoch.db'])
    await openDaemon(bench)
  })
})

describe('the socket', () => {
  const bench = useWorkbench()

  it.skipIf(process.platform === 'win32')('is reachable by its user alone', async () => {
    const { daemon } = await openDaemon(bench)
    expect((await stat(daemon.info.endpoint)).mode & 0o777).toBe(0o600)
    expect((await stat(pathsOf(bench).run)).mode & 0o777).toBe(0o700)
  })

  it('is gone after the end, and whoever connects then is told that there is no daemon', async () => {
    const { daemon } = await openDaemon(bench)
    const { endpoint } = daemon.info
    await daemon.close()
    await expect(connectIpc(endpoint)).rejects.toMatchObject({ code: 'daemon_unavailable' })
  })

  it('survives a hundred starts and ends in one process without a handle left', async () => {
    const before = countHandles()
    for (let cycle = 1; cycle <= 100; cycle++) {
      const { daemon } = await openDaemon(bench)
      expect(daemon.info.epoch).toBe(cycle)
      await daemon.close()
    }
    expect((await readdir(pathsOf(bench).run)).sort()).toEqual(['daemon.lock', 'epoch.db'])
    await waitFor(() => countHandles() <= before, { what: 'every handle to be closed' })
  })
})

const LOCK_HELD: unknown = expect.objectContaining({ code: 'lock_held' })

const HANDLES = new Set(['PipeWrap', 'TCPSocketWrap', 'TCPServerWrap', 'StatWatcher', 'FSEventWrap', 'ProcessWrap'])

function countHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => HANDLES.has(name)).length
}
