import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expectNoProcessLeft, findByMarker, waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OrphanGuard } from '../src/orphan-guard.ts'
import { ProcessFamily } from '../src/process-family.ts'

let marker = ''
const started: ChildProcess[] = []

beforeEach(() => {
  marker = `300.${Math.floor(Math.random() * 1e12)}`
})
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const { pid } of await findByMarker(marker)) process.kill(pid, 'SIGKILL')
})

/** A process that starts one below it, and one with a session of its own whose parent is gone at once. */
async function startFamily(family: ProcessFamily): Promise<ChildProcess & { pid: number }> {
  const script = `sleep ${marker} & (setsid sh -c 'setsid sleep ${marker} &'); wait`
  const child = spawn('sh', ['-c', script], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...family.environment },
  })
  started.push(child)
  await waitFor(async () => (await findByMarker(marker)).filter(({ command }) => /^sleep/.test(command)).length === 2)
  // It runs, so it has a number.
  return child as ChildProcess & { pid: number }
}

// Without /proc nobody can tell whose a process without a parent is.
const isKnowable = process.platform === 'linux'

it.runIf(isKnowable)('everything with the mark is killed, also what has left and has no parent any more', async () => {
  const family = new ProcessFamily()
  const child = await startFamily(family)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  await family.kill()
  expect(await findByMarker(marker)).toEqual([])
})

it.runIf(process.platform !== 'win32')('what was seen below is killed, also without a mark', async () => {
  const family = new ProcessFamily()
  const child = await startFamily(new ProcessFamily())
  const below = await family.remember(child.pid)
  expect(below.length).toBeGreaterThan(0)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  await family.kill()
  const left = (await findByMarker(marker)).map(({ pid }) => pid)
  expect(below.some(({ pid }) => left.includes(pid))).toBe(false)
})

it.runIf(process.platform !== 'win32')('a family of which nobody is there ends, and harms nobody else', async () => {
  const child = await startFamily(new ProcessFamily())
  const pids = async () => (await findByMarker(marker)).map(({ pid }) => pid).sort()
  const before = await pids()
  expect(before).toContain(child.pid)
  // The shell, and the two that it started.
  expect(before).toHaveLength(3)
  await new ProcessFamily().kill()
  expect(await pids()).toEqual(before)
})

it.runIf(isKnowable)(
  'the guard kills a family when its owner is gone, and lets a family be that was taken back',
  async () => {
    const guard = new OrphanGuard()
    const [kept, family] = [new ProcessFamily(), new ProcessFamily()]
    const spared = spawn('sleep', ['300'], { stdio: 'ignore', env: { PATH: process.env.PATH, ...kept.environment } })
    started.push(spared)
    const child = await startFamily(family)
    guard.addFamily(kept)
    // The guard begins with the first group, and is told of the families that it missed.
    guard.addFamily(family)
    guard.add(child.pid)
    guard.removeFamily(kept)
    // The end of the pipe is all that a guard sees of an owner that was killed.
    await guard.close()
    await expectNoProcessLeft(marker)
    expect(spared.exitCode ?? spared.signalCode).toBeNull()
  },
)

it.runIf(isKnowable).each(['by itself', 'by the guard'] as const)(
  'a guest is ended %s, in whatever session, and those whose session it is in are spared',
  async (by) => {
    const family = new ProcessFamily({ isGuest: true })
    // As an editor does it: a program in the editor's own session. It is stopped, and hears nothing.
    const host = spawn(
      'sh',
      ['-c', `env ${markOf(family)} sh -c 'kill -STOP $$; exec sleep ${marker}' & exec sleep 300`],
      {
        detached: true,
        stdio: 'ignore',
        env: { PATH: process.env.PATH },
      },
    )
    started.push(host)
    const guard = new OrphanGuard()
    guard.addFamily(family)
    await waitFor(async () => (await family.find())?.length === 1, { what: 'the guest' })
    if (by === 'by itself') await family.kill()
    await guard.close()
    expect(await family.find()).toEqual([])
    expect(host.exitCode ?? host.signalCode).toBeNull()
  },
)

function markOf({ environment }: ProcessFamily): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
