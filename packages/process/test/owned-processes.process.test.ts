import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { waitFor } from '@switchboard/testkit'
import { afterEach, expect, it } from 'vitest'
import { createOwnerMark, findOrphans, isStillOrphan, OWNER_VARIABLE } from '../src/owned-processes.ts'
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

it('nobody else is: not with a living owner, not started at another time, not without a group of its own', async () => {
  const owner = await deadPid()
  const owned = sleep(createOwnerMark(process.pid), true)
  const later = sleep(createOwnerMark(owner, Date.now() - 60_000), true)
  const inner = sleep(createOwnerMark(owner), false)
  const broken = sleep('nonsense', true)
  const all = [owned, later, inner, broken]
  await Promise.all(all.map((child) => once(child.stdout ?? child, 'data')))
  for (const { pid } of all) expect(await isFound(pid)).toBe(false)
})

it('every child that is spawned bears the mark', async () => {
  const args = ['-e', `console.log(process.env.${OWNER_VARIABLE})`]
  const outcome = spawnChild({ command: process.execPath, args, cwd: undefined, env: {}, inheritEnv: false })
  if (!outcome.spawned) throw new Error(outcome.problem.message)
  const [mark] = await once(outcome.child.stdout, 'data')
  expect(String(mark)).toMatch(new RegExp(`^${process.pid}:\\d{13}\\n$`))
  await once(outcome.child, 'exit')
})
