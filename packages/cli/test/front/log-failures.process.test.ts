/** Logs and trails that cannot be written: agents notice nothing, in front and daemon alike. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { textOfAnswer, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { PATIENCE, useFrontBench } from './support/front-bench.ts'

const bench = useFrontBench()

/** A small disk in place of a folder of the home. False: this machine does not let us. */
function mountSmall(folder: string, size: string): boolean {
  const path = bench.home.file(folder)
  mkdirSync(path, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return false
  }
  unmounting.push(path)
  return true
}

const unmounting: string[] = []

/** They are busy while a daemon or a front has a file open there. */
async function unmountAll(): Promise<void> {
  for (const path of unmounting.splice(0)) execFileSync('umount', ['-l', path])
}

/** A whole working day in short, with everything that is logged on the way. */
async function work(env: Record<string, string> = {}, isDeaf = false): Promise<void> {
  const agents = [bench.start([], env), bench.start([], env)]
  if (isDeaf) for (const agent of agents) agent.child.stderr.destroy()
  await Promise.all(agents.map((agent) => agent.initialize()))
  for (const agent of agents) {
    for (let count = 0; count < 30; count++) {
      expect(textOfAnswer(await agent.call('fx_echo', { text: `call ${count}` }))).toBe(`call ${count}`)
    }
    expect(textOfAnswer(await agent.call('fx_fail', { message: 'as asked' }))).toBe('as asked')
    expect(textOfAnswer(await agent.call('debug_get_logs', { limit: 5 }))).not.toContain('[internal_error]')
  }
  const { pid } = await bench.daemonInfo()
  process.kill(pid, 'SIGKILL')
  for (const agent of agents) {
    await waitFor(async () => textOfAnswer(await agent.call('fx_echo', { text: 'after' })) === 'after', PATIENCE)
    expect(await agent.end()).toBe(0)
  }
}

const TALKATIVE = { SWITCHBOARD_LOG_LEVEL: 'debug' }

describe('calls go on', () => {
  test('with files where the folders of logs and trails should be', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    for (const folder of ['logs', 'traces']) writeFileSync(bench.home.file(folder), 'in the way')
    await work(TALKATIVE)
  })

  test('with folders that nobody may write to', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const folders = ['logs', 'traces'].map((name) => bench.home.file(name))
    for (const folder of folders) mkdirSync(folder)
    // Permissions do not bind root: for it the folders are disks that are mounted to be read only.
    const isRoot = process.getuid?.() === 0
    if (isRoot) {
      for (const folder of ['logs', 'traces']) {
        if (!mountSmall(folder, '64k')) throw new Error('This machine does not let root mount a small disk')
        execFileSync('mount', ['-o', 'remount,ro', bench.home.file(folder)])
      }
    } else for (const folder of folders) chmodSync(folder, 0o500)
    try {
      await work(TALKATIVE)
      for (const folder of folders) expect(readdirSync(folder)).toEqual([])
    } finally {
      await unmountAll()
      if (!isRoot) for (const folder of folders) chmodSync(folder, 0o700)
    }
  })

  test('on a disk that is full', async ({ skip }) => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    if (!mountSmall('logs', '16k') || !mountSmall('traces', '8k')) skip('only root may mount a small disk')
    try {
      await work(TALKATIVE)
      const size = (folder: string): number =>
        Number(
          execFileSync('df', ['--output=avail', bench.home.file(folder)])
            .toString()
            .split('\n')[1],
        )
      expect([size('logs'), size('traces')]).toEqual([0, 0])
    } finally {
      await unmountAll()
    }
  })

  test('with nobody to read stderr, and the logs nowhere else to go', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    for (const folder of ['logs', 'traces']) writeFileSync(bench.home.file(folder), 'in the way')
    await work(TALKATIVE, true)
  })
})
