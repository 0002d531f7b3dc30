import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createLeakCheck,
  descendantsOf,
  expectNoProcessLeft,
  findByMarker,
  isAlive,
  listProcesses,
} from '../src/process-table.ts'
import { type Program, watchProgram } from '../src/program.ts'
import { waitFor } from '../src/wait-for.ts'

const started: ChildProcess[] = []

/** A process that sleeps, and says so once it runs. */
async function startSleeper(marker: string, code = ''): Promise<Program> {
  const source = `${code}; setTimeout(() => {}, 60000); process.stdout.write('up')`
  const child = spawn(process.execPath, ['-e', source, marker], { stdio: ['ignore', 'pipe', 'ignore'] })
  started.push(child)
  const program = watchProgram(child)
  await program.waitForText('up')
  return program
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

const leaks = createLeakCheck()
beforeEach(leaks.begin)
afterEach(async () => {
  for (const child of started.splice(0)) await end(child)
  await leaks.check()
})

const createMarker = () => `marker-${process.pid}-${Math.random().toString(36).slice(2)}`

test('this process is in the table with its parent', async () => {
  const own = (await listProcesses()).find((found) => found.pid === process.pid)
  expect(own).toMatchObject({ ppid: process.ppid })
})

test('a process is found by its marker while it lives, and not after it', async () => {
  const marker = createMarker()
  const { child, pid } = await startSleeper(marker)
  expect((await findByMarker(marker)).map((found) => found.pid)).toEqual([pid])
  expect(await isAlive(pid)).toBe(true)
  await end(child)
  expect(await findByMarker(marker)).toEqual([])
  expect(await isAlive(pid)).toBe(false)
  await expectNoProcessLeft(marker)
})

test('descendants include grandchildren', async () => {
  const marker = createMarker()
  const inner = `process.stdout.write('up'); setTimeout(() => {}, 60000)`
  const code = `
    const { spawn } = require('node:child_process')
    const inner = spawn(process.execPath, ['-e', ${JSON.stringify(inner)}, ${JSON.stringify(marker)}], { stdio: 'ignore' })
    process.stdout.write(inner.pid + ' ')
    process.on('SIGTERM', () => { inner.kill('SIGKILL'); inner.on('exit', () => process.exit()) })`
  const { child, pid, out } = await startSleeper(marker, code)
  const grandchild = Number(out().split(' ')[0])
  const found = (await descendantsOf(process.pid)).map((entry) => entry.pid)
  expect(found).toEqual(expect.arrayContaining([pid, grandchild]))
  expect((await descendantsOf(pid)).map((entry) => entry.pid)).toEqual([grandchild])
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
})

test.skipIf(process.platform === 'win32')('a zombie is not alive', async () => {
  // A shell that replaces itself by a program that never waits for its children keeps a zombie.
  const code = `
    const { spawn } = require('node:child_process')
    const sh = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'inherit', 'ignore'] })
    process.on('SIGTERM', () => { sh.kill('SIGKILL'); sh.on('exit', () => process.exit()) })`
  const { child, waitForLine } = await startSleeper(createMarker(), code)
  // `up` has no end of line of its own, and either may come first.
  const zombie = Number(await waitForLine((line) => /\d+/.exec(line)?.[0]))
  const isZombie = async () =>
    (await listProcesses()).some((entry) => entry.pid === zombie && entry.state.startsWith('Z'))
  await waitFor(isZombie, { what: `process ${zombie} to be a zombie` })
  expect(await isAlive(zombie)).toBe(false)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
})

test('a leaked child fails the leak check with its command line', async () => {
  const marker = createMarker()
  const check = createLeakCheck({ timeout: 50 })
  await check.begin()
  const { child, pid } = await startSleeper(marker)
  await expect(check.check()).rejects.toThrow(new RegExp(`${pid} \\(parent ${process.pid}\\).*${marker}`, 's'))
  await end(child)
  await check.check()
})

test('a process that is left with a marker fails the check', async () => {
  const marker = createMarker()
  const { child } = await startSleeper(marker)
  await expect(expectNoProcessLeft(marker, 50)).rejects.toThrow(`marked ${marker} still alive`)
  await end(child)
})

test('what was there before the test is no leak', async () => {
  const { child } = await startSleeper(createMarker())
  const check = createLeakCheck({ timeout: 50 })
  await check.begin()
  await check.check()
  await end(child)
})
