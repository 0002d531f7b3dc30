/** Real fronts of the bundled program on a home of their own, and the daemons that they start; nothing of it outlives its test. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { McpPoolInput, ServerInput } from '@switchboard/pool'
import { type DaemonInfo, type JsonObject, LineReader } from '@switchboard/protocol'
import {
  expectNoProcessLeft,
  type FixtureScript,
  findByMarker,
  fixtureCommand,
  type ProcessInfo,
  waitFor,
} from '@switchboard/testkit'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { buildProgram, PROGRAM } from '../../program.ts'
import { TestHome } from '../../run-main.ts'

/** The machine may be busy with anything. */
export const PATIENCE = { timeout: 40_000 }

export class FrontBench {
  marker = ''
  #home: TestHome | undefined
  readonly #agents: RawAgent[] = []
  readonly #cleanups: (() => unknown)[] = []

  get home(): TestHome {
    if (this.#home === undefined) throw new Error('There is a home only while a test runs')
    return this.#home
  }

  async begin(): Promise<void> {
    this.#home = await TestHome.create()
    this.marker = `front-test-${process.pid}-${Math.random().toString(36).slice(2)}`
  }

  async end(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup()
    await Promise.all(this.#agents.splice(0).map((agent) => agent.end()))
    for (const { pid } of await this.daemons()) process.kill(pid, 'SIGTERM')
    await expectNoProcessLeft(this.home.path, 20_000)
    await expectNoProcessLeft(this.marker, 20_000)
    await this.home[Symbol.asyncDispose]()
  }

  defer(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup)
  }

  journal(name: string): string {
    return this.home.file(`${name}.journal`)
  }

  fixture(name: string, script: FixtureScript = {}): ServerInput {
    return fixtureCommand({ marker: this.marker, journal: this.journal(name), ...script })
  }

  async configure(config: McpPoolInput | string): Promise<void> {
    await this.home.configure(config)
  }

  env(more: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
    const { SWITCHBOARD_INSTANCE_ID: _window, ...inherited } = process.env
    const all = { ...inherited, SWITCHBOARD_HOME: this.home.path, SWITCHBOARD_HTTP_PORT: '0', NO_COLOR: '1', ...more }
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
  }

  /** For those who spawn it themselves: the SDKs' clients. */
  command(argv: readonly string[] = []): { command: string; args: string[]; env: Record<string, string>; cwd: string } {
    return { command: process.execPath, args: [PROGRAM, 'mcp', ...argv], env: this.env(), cwd: this.home.path }
  }

  start(argv: readonly string[] = [], env: Readonly<Record<string, string | undefined>> = {}): RawAgent {
    const { command, args, cwd } = this.command(argv)
    const agent = new RawAgent(spawn(command, args, { cwd, env: this.env(env) }))
    this.#agents.push(agent)
    return agent
  }

  /** Living daemons of this home, those that are about to find out that they are one too many included. */
  async daemons(): Promise<ProcessInfo[]> {
    return (await findByMarker(`daemon --home ${this.home.path}`)).filter(({ command }) =>
      command.includes('switchboard'),
    )
  }

  async daemonInfo(): Promise<DaemonInfo> {
    return JSON.parse(await readFile(this.home.file('run', 'daemon.json'), 'utf8')) as DaemonInfo
  }

  /** What fronts have logged. */
  async frontLogs(): Promise<string[]> {
    const names = (await readdir(this.home.file('logs'))).filter((name) => name.startsWith('mcp-'))
    return Promise.all(names.map((name) => readFile(this.home.file('logs', name), 'utf8')))
  }
}

/** Call it at the top of a suite. */
export function useFrontBench(): FrontBench {
  const bench = new FrontBench()
  beforeAll(buildProgram)
  beforeEach(() => bench.begin())
  afterEach(() => bench.end())
  return bench
}

/** An agent that writes and reads lines and knows nothing. */
export class RawAgent {
  readonly child: ChildProcessWithoutNullStreams
  readonly received: JsonObject[] = []
  readonly ended: Promise<number | string>
  #err = ''
  #nextId = 1

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child
    this.ended = once(child, 'close').then(([code, signal]) => code ?? signal)
    child.stdin.on('error', () => undefined)
    child.stderr.on('data', (chunk) => {
      this.#err += chunk
    })
    const reader = new LineReader(100 * 1024 * 1024, {
      onLine: (line) => void this.received.push(JSON.parse(line.toString()) as JsonObject),
      onOversized: ({ bytes }) => child.stdout.destroy(new Error(`A line of ${bytes} bytes`)),
    })
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk))
  }

  get err(): string {
    return this.#err
  }

  send(message: JsonObject): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  async answerTo(id: unknown): Promise<JsonObject> {
    const isAnswer = (message: JsonObject) => message.id === id && message.method === undefined
    return waitFor(() => this.received.find(isAnswer), { what: `the answer to ${id}; ${this.#err}`, ...PATIENCE })
  }

  async waitForMethod(method: string): Promise<JsonObject> {
    return waitFor(() => this.received.find((message) => message.method === method), { what: method, ...PATIENCE })
  }

  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = this.#nextId++
    this.send({ id, method, params })
    return this.answerTo(id)
  }

  call(name: string, args: JsonObject = {}): Promise<JsonObject> {
    return this.request('tools/call', { name, arguments: args })
  }

  async initialize(capabilities: JsonObject = {}): Promise<JsonObject> {
    const clientInfo = { name: 'raw', version: '1' }
    const answer = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
    this.send({ method: 'notifications/initialized' })
    return answer
  }

  async end(): Promise<number | string> {
    this.child.stdin.end()
    return this.ended
  }
}

/** The text of a tool's answer. */
export function textOf(answer: JsonObject): string {
  const { result, error } = answer as { result?: { content?: { text?: string }[] }; error?: unknown }
  return result?.content?.[0]?.text ?? JSON.stringify(error ?? result)
}
