/**
 * The command on a Node that is too old for it. A window's front runs on it all the same; everything else is run by the Node of
 * the clone, and ends with whoever started it, also one that is killed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createTemporaryDirectory,
  expectNoProcessLeft,
  findByMarker,
  isAlive,
  PROGRAM,
  type TemporaryDirectory,
  waitFor,
  watchProgram,
} from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { FrontAgent, useFrontBench } from '../front/support/front-bench.ts'

const bench = useFrontBench()
const PATIENCE = { timeout: 60_000 }
const PRETEND = fileURLToPath(new URL('pretend-old.mjs', import.meta.url))
const RUN = fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url))

/** What runs the program, with its first arguments. */
const OLD_NODES: [name: string, command: readonly string[]][] = [
  ['one that lacks what Node 20 lacks', [process.execPath, PRETEND, '20.16.0']],
  ...findOldNodes().map(([version, path]): [string, readonly string[]] => [`Node ${version}`, [path]]),
]

function findOldNodes(): [version: string, path: string][] {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const versions = paths.filter(existsSync).map((path): [string, string] => {
    return [execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(), path]
  })
  return [...new Map(versions)].filter(([version]) => /^(?:20\.(?:1[6-9]|[2-9]\d)|22\.(?:\d|1[0-7]))\./.test(version))
}

let clone: TemporaryDirectory
let program = ''

/** As much of a clone as the command needs; its own Node is the one that runs this test. */
beforeAll(async () => {
  clone = await createTemporaryDirectory('switchboard-old-node-')
  program = clone.file('packages', 'cli', 'bin', 'switchboard.mjs')
  const node = clone.file('.toolchain', 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
  for (const folder of [clone.file('packages', 'cli', 'bin'), node]) mkdirSync(folder, { recursive: true })
  copyFileSync(PROGRAM, program)
  symlinkSync(fileURLToPath(new URL('../../dist', import.meta.url)), clone.file('packages', 'cli', 'dist'))
  symlinkSync(process.execPath, join(node, 'node'))
})
afterAll(async () => {
  await expectNoProcessLeft(clone.path, 20_000)
  await clone.remove()
})

function start([command = '', ...first]: readonly string[], args: readonly string[]) {
  const child = spawn(command, [...first, ...args], { cwd: bench.home.path, env: bench.env() })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe.skipIf(process.platform === 'win32')('with', () => {
  test.each(OLD_NODES)(
    '%s, a front is one process, and starts the daemon with the Node of the clone',
    async (_, node) => {
      await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
      const agent = new FrontAgent(start(node, [program, 'mcp']))
      await agent.initialize()
      expect(JSON.stringify(await agent.call('fx_echo', { text: 'hello' }))).toContain('hello')
      const fronts = (await findByMarker(`${program} mcp`)).map(({ pid }) => pid)
      expect(fronts).toEqual([agent.child.pid])
      const [daemon] = await bench.daemons()
      expect(daemon?.command).toContain(clone.file('.toolchain'))
      expect(await agent.end()).toBe(0)
      expect(agent.err).toBe('')
    },
  )

  test.each(OLD_NODES)('%s, kill -9 of who started the gateway ends the gateway', async (_, node) => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const launcher = watchProgram(start(node, [program, 'up', '--foreground']))
    const port = await waitForPort(() => launcher.out())
    const { pid } = await bench.daemonInfo()
    expect(pid).not.toBe(launcher.pid)
    launcher.child.kill('SIGKILL')
    await waitFor(async () => !(await isAlive(pid)), { ...PATIENCE, what: 'the gateway to end' })
    expect(await isOpen(port)).toBe(false)
    await expectNoProcessLeft(bench.marker, 20_000)
    expect(readdirSync(bench.home.file('run'))).not.toContain('daemon.json')
  })

  test.each(OLD_NODES)('%s, a daemon in the background does not end with who started it', async (_, node) => {
    await bench.configure({ mcpServers: {} })
    const launcher = watchProgram(start(node, [program, 'up']))
    expect(await launcher.ended).toBe(0)
    const { pid } = await bench.daemonInfo()
    expect(await isAlive(pid)).toBe(true)
  })
})

describe.skipIf(process.platform === 'win32')('npm start', () => {
  test('is killed: the gateway ends with it', async () => {
    await bench.configure({ mcpServers: {} })
    const launcher = watchProgram(start([process.execPath, PRETEND, '-'], [RUN, 'start']))
    await waitForPort(() => launcher.out())
    const { pid } = await bench.daemonInfo()
    expect(pid).not.toBe(launcher.pid)
    launcher.child.kill('SIGKILL')
    await waitFor(async () => !(await isAlive(pid)), { ...PATIENCE, what: 'the gateway to end' })
  })

  test('becomes the gateway where it can', async () => {
    await bench.configure({ mcpServers: {} })
    const gateway = watchProgram(start([process.execPath], [RUN, 'start']))
    await waitForPort(() => gateway.out())
    const { pid } = await bench.daemonInfo()
    expect(pid === gateway.pid).toBe('execve' in process)
    gateway.child.kill('SIGINT')
    expect(await gateway.ended).toBe(0)
  })
})

async function waitForPort(out: () => string): Promise<number> {
  const read = (): string | undefined => /http:\/\/127\.0\.0\.1:(\d+)/.exec(out())?.[1]
  return Number(await waitFor(read, { ...PATIENCE, what: 'the address of the gateway' }))
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
