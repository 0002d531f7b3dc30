/** Files of a daemon that are not as they should be: broken, foreign, or another's by now. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { findEndpoint, readDaemonInfo } from '@switchboard/daemon/client'
import { describe, expect, it } from 'vitest'
import { DaemonLock } from '../../src/lock/daemon-lock.ts'
import { Epoch } from '../../src/lock/epoch.ts'
import { connectTo, openDaemon, pathsOf, spawnDaemon, startedDaemon } from '../helpers/daemon-bench.ts'
import { useWorkbench } from '../helpers/workbench.ts'

describe('a daemon whose folder was deleted under it', () => {
  const bench = useWorkbench()

  it('leaves the socket and the info file of its successor alone when it ends', async () => {
    const { daemon: stale } = await openDaemon(bench)
    const { run, info } = pathsOf(bench)
    await rm(run, { recursive: true })
    const successor = await startedDaemon(spawnDaemon(bench))
    await stale.close()
    expect(await readDaemonInfo(info)).toMatchObject({ pid: successor.pid })
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ ok: true, pid: successor.pid })
  })
})

describe('the number of a daemon', () => {
  const bench = useWorkbench()

  it('rises with each, and only the last one is current', () => {
    const file = bench.home.file('epoch.db')
    const epochs = [Epoch.bump(file), Epoch.bump(file), Epoch.bump(file)]
    expect(epochs.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(epochs.map((epoch) => epoch.isCurrent())).toEqual([false, false, true])
  })

  it('is not current when its file is gone or another one', async () => {
    const file = bench.home.file('epoch.db')
    const epoch = Epoch.bump(file)
    await rm(file)
    expect(epoch.isCurrent()).toBe(false)
    // The same number, and yet somebody else.
    expect(Epoch.bump(file).number).toBe(epoch.number)
    expect(epoch.isCurrent()).toBe(false)
  })

  it('goes on above all others when its file is broken', async () => {
    const file = bench.home.file('epoch.db')
    const before = Epoch.bump(file)
    await writeFile(file, 'this is no database, and long enough to be looked at as one'.repeat(100))
    const after = Epoch.bump(file)
    expect(after.number).toBeGreaterThan(before.number)
    expect(after.isCurrent()).toBe(true)
    expect(await readdir(bench.home.path)).toContain('epoch.db.broken')
  })
})

describe('the lock file', () => {
  const bench = useWorkbench()

  it('that is no database is refused with its path and a cure', async () => {
    const file = bench.home.file('daemon.lock')
    await writeFile(file, 'this is no database, and long enough to be looked at as one'.repeat(100))
    await expect(DaemonLock.acquire({ file, infoFile: bench.home.file('daemon.json') })).rejects.toMatchObject({
      code: 'daemon_unavailable',
      message: expect.stringContaining(file),
      hint: expect.stringContaining('deleted'),
    })
  })

  it('is held until it is given back, and can be taken again', async () => {
    const options = { file: bench.home.file('daemon.lock'), infoFile: bench.home.file('daemon.json'), attempts: 1 }
    const first = await DaemonLock.acquire(options)
    await expect(DaemonLock.acquire(options)).rejects.toMatchObject({ code: 'lock_held' })
    first.release()
    first.release()
    expect(first.held).toBe(false)
    const second = await DaemonLock.acquire(options)
    expect(second.held).toBe(true)
    second.release()
    // Nothing is written to it, ever.
    expect((await readFile(options.file)).length).toBe(0)
  })

  it('names nobody when the info file says nothing that can be understood', async () => {
    const options = { file: bench.home.file('daemon.lock'), infoFile: bench.home.file('daemon.json'), attempts: 1 }
    await writeFile(options.infoFile, '{"pid":"x"')
    const lock = await DaemonLock.acquire(options)
    await expect(DaemonLock.acquire(options)).rejects.toMatchObject({
      code: 'lock_held',
      message: expect.stringContaining('has not said yet'),
    })
    lock.release()
  })
})

describe('what a daemon that was killed left', () => {
  const bench = useWorkbench()

  it('is in nobody’s way: a stale socket, draft or info file is replaced', async () => {
    const { run, info } = pathsOf(bench)
    const { daemon } = await openDaemon(bench)
    await daemon.close()
    await writeFile(info, '{"pid":1')
    await writeFile(findEndpoint(pathsOf(bench)), 'no socket at all')
    await writeFile(`${run}/daemon.new`, 'nor this')
    const { daemon: next } = await openDaemon(bench)
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ epoch: next.info.epoch })
    expect((await readdir(run)).sort()).toEqual(['daemon.json', 'daemon.lock', 'daemon.sock', 'epoch.db'])
  })
})
