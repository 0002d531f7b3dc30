import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { waitFor, watchProgram } from '@switchboard/testkit'
import { afterEach, expect, it } from 'vitest'
import { createOwnerMark, endOrphans, findOrphans, isStillOrphan } from '../src/owned-processes.ts'
import { OWNER_VARIABLE } from '../src/process-marks.ts'
import { spawnChild } from '../src/spawn-child.ts'

const SLEEPER = ['-e', 'setInterval(() => {}, 1000); console.log("up")']
const children: (() => void)[] = []

afterEach(() => {
  for (const end of children.splice(0)) end()
})

/** Outlives the test unless it is ended here. */
function sleep(mark: string, detached: boolean): ChildProcess {
  const env = { PATH: process.env.PATH, [OWNER_VARIABLE]: mark }
  const child = spawn(process.execPath, SLEEPER, { detached, env, stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(() => child.kill('SIGKILL'))
  return child
}

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

async function isFound(pid: number | undefined): Promise<boolean> {
  return (await findOrphans()).some((orphan) => orphan.pid === pid)
}

// Only Linux tells enough of other processes; elsewhere nothing is ever called an orphan.
const isKnowable = process.platform === 'linux'

it('a child whose owner is gone is an orphan until it ends', async () => {
  const owner = await deadPid()
  const child = sleep(createOwnerMark(owner), true)
  await once(child, 'spawn')
  if (!isKnowable) return expect(await findOrphans()).toEqual([])
  const orphan = await waitFor(async () => (await findOrphans()).find(({ pid }) => pid === child.pid))
  expect(orphan).toMatchObject({ owner, command: expect.stringContaining('setInterval') })
  expect(await isStillOrphan(orphan)).toBe(true)
  expect(await isStillOrphan({ ...orphan, started: '1' })).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await isStillOrphan(orphan)).toBe(false)
})

it('nobody else is: not with a living owner, not without a mark', async () => {
  const owned = sleep(createOwnerMark(process.pid), true)
  const broken = sleep('nonsense', true)
  const all = [owned, broken]
  await Promise.all(all.map((child) => watchProgram(child).waitForText('up')))
  for (const { pid } of all) expect(await isFound(pid)).toBe(false)
})

it.runIf(isKnowable)('an owner whose number belongs to a later process is gone', async () => {
  const child = sleep(createOwnerMark(process.pid, Math.floor(Date.now() - process.uptime() * 1000 - 60_000)), true)
  await watchProgram(child).waitForText('up')
  expect(await isFound(child.pid)).toBe(true)
})

it.runIf(isKnowable)(
  'what an orphan has started is one as well, and they are ended, also those that do not want to',
  async () => {
    const stubborn = `process.on('SIGTERM', () => {}); ${SLEEPER[1]}`
    const script = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { detached: true, stdio: 'inherit' })
    .on('spawn', () => process.exit())`
    const env = { PATH: process.env.PATH, [OWNER_VARIABLE]: createOwnerMark(await deadPid()) }
    const child = spawn(process.execPath, ['-e', script], { detached: true, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const program = watchProgram(child)
    await program.waitForText('up')
    await waitFor(() => child.exitCode !== null)
    const mine = async () => (await findOrphans()).filter(({ owner }) => env[OWNER_VARIABLE].startsWith(`${owner}:`))
    const orphans = await mine()
    expect(orphans).toHaveLength(1)
    expect(await endOrphans([{ ...orphans[0], started: '1' } as (typeof orphans)[0]], { patience: 0 })).toEqual([])
    expect(await mine()).toHaveLength(1)
    expect(await endOrphans(orphans, { patience: 100 })).toEqual([])
    expect(await mine()).toEqual([])
  },
)

it('every child that is spawned bears the mark', async () => {
  const args = ['-e', `console.log(process.env.${OWNER_VARIABLE})`]
  const outcome = spawnChild({ command: process.execPath, args, cwd: undefined, env: {}, inheritEnv: false })
  if (!outcome.spawned) throw new Error(outcome.problem.message)
  const program = watchProgram(outcome.child)
  expect(await program.ended).toBe(0)
  expect(program.out()).toMatch(new RegExp(`^${process.pid}:\\d{13}\\n$`))
})
