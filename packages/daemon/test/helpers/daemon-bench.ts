/** Daemons for tests: in this process, or each in one of its own; all of it is gone when the test is over. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { Duplex } from 'node:stream'
import { type Daemon, type DaemonOptions, openDaemon as openOwnDaemon } from '@switchboard/daemon'
import { connectIpc, findEndpoint, type IpcClient } from '@switchboard/daemon/client'
import { createInstanceId, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { type AttachParams, type HomePaths, homePaths, IPC_VERSION } from '@switchboard/protocol/ipc'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import { LineAgent, type PipedProgram, readObjectWith } from '@switchboard/testkit'
import type { SwitchboardInput } from '../../src/configuration/switchboard-file.ts'
import type { Workbench } from './workbench.ts'

export interface OpenDaemon {
  readonly daemon: Daemon
  readonly log: MemoryLogger
}

export const VERSION = '0.1.0-test'

export function pathsOf(bench: Workbench): HomePaths {
  return homePaths(bench.home.path, sep)
}

/** A folder with so many small files, outside of every home. */
export async function makeTree(bench: Workbench, files: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'switchboard-tree-'))
  bench.defer(() => rm(root, { recursive: true, force: true }))
  await Promise.all(
    Array.from({ length: files }, (_, index) => writeFile(join(root, `${index}.txt`), `file ${index}\n`)),
  )
  return root
}

/** In this process, on any free port. */
export async function openDaemon(
  bench: Workbench,
  config: SwitchboardInput = {},
  options: Partial<DaemonOptions> = {},
): Promise<OpenDaemon> {
  await bench.writeConfig(config)
  const log = createMemoryLogger()
  const daemon = await openOwnDaemon({
    paths: pathsOf(bench),
    version: VERSION,
    env: { ...process.env, SWITCHBOARD_HTTP_PORT: '0' },
    openLog: () => log,
    ...options,
  })
  bench.defer(() => daemon.close({ force: true }))
  return { daemon, log }
}

/** `switchboard daemon` in a process of its own. */
export function spawnDaemon(bench: Workbench, env: Readonly<Record<string, string>> = {}): PipedProgram {
  return bench.program(['daemon', '--json'], { env: { SWITCHBOARD_HTTP_PORT: '0', ...env } })
}

export interface DaemonStart {
  readonly pid: number
  readonly epoch: number
  readonly endpoint: string
}

/** Resolves when it says that it runs, which is not the same as saying something: a daemon that is refused does too. */
export async function startedDaemon(program: PipedProgram): Promise<DaemonStart> {
  const start = await program.waitForLine(readObjectWith('pid', 'epoch', 'endpoint'), { what: 'the daemon to start' })
  return { pid: Number(start.pid), epoch: Number(start.epoch), endpoint: String(start.endpoint) }
}

export async function connectTo(bench: Workbench): Promise<IpcClient> {
  const client = await connectIpc(findEndpoint(pathsOf(bench)))
  bench.defer(() => client.close())
  return client
}

export function attachParams(more: Partial<AttachParams> = {}): AttachParams {
  return {
    protocol: IPC_VERSION,
    role: 'front',
    instance: createInstanceId(),
    profile: 'default',
    pid: process.pid,
    version: VERSION,
    ...more,
  }
}

/** A legacy agent on an attached connection. */
export class AttachedAgent extends LineAgent {
  readonly instance: string
  readonly ended: Promise<void>
  readonly #stream: Duplex

  constructor(stream: Duplex, instance: string) {
    super(stream, stream)
    this.#stream = stream
    this.instance = instance
    this.ended = new Promise((resolve) => stream.once('close', resolve))
    stream.resume()
  }

  close(): void {
    this.#stream.destroy()
  }
}

export async function attachAgent(bench: Workbench, more: Partial<AttachParams> = {}): Promise<AttachedAgent> {
  const client = await connectTo(bench)
  const params = attachParams(more)
  const { stream } = await client.attach(params)
  const agent = new AttachedAgent(stream, params.instance)
  await agent.initialize({}, { name: 'attached-agent', version: '1.2.3' })
  return agent
}

/** The code of one of our errors, in a response or a result. */
export function codeOf(message: JsonObject): unknown {
  const result = isJsonObject(message.result) ? message.result.structuredContent : undefined
  const envelope = isJsonObject(message.error) ? message.error.data : result
  return isJsonObject(envelope) && isJsonObject(envelope.error) ? envelope.error.code : undefined
}
