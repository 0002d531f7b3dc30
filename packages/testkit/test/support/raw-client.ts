/** A stdio client without any library: what the fixture writes is looked at as bytes, lines and messages. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FixtureScript, fixtureCommand, waitFor } from '@switchboard/testkit'

export type Message = {
  id?: string | number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': { sampling: {}, elicitation: { form: {} }, roots: {} },
}

export class RawClient implements AsyncDisposable {
  readonly child: ChildProcess
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Every chunk of stdout as it was read. */
  readonly chunks: Buffer[] = []
  stderrBytes = 0
  stderrText = ''
  #id = 0

  constructor(script: FixtureScript) {
    const { command, args } = fixtureCommand(script)
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.exited = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }))
    this.child.stdin?.on('error', () => {})
    this.child.stdout?.on('data', (chunk: Buffer) => this.chunks.push(chunk))
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderrBytes += chunk.length
      if (this.stderrText.length < 10_000) this.stderrText += chunk.toString()
    })
  }

  /** Whole lines so far, in order. */
  get lines(): string[] {
    return Buffer.concat(this.chunks).toString().split('\n').slice(0, -1)
  }

  get messages(): Message[] {
    return this.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  }

  write(...messages: object[]): void {
    this.child.stdin?.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
  }

  /** Sends a request and returns its id without waiting. */
  post(method: string, params: object = {}): number {
    this.#id += 1
    this.write({ id: this.#id, method, params })
    return this.#id
  }

  async request(method: string, params: object = {}): Promise<Message> {
    return this.reply(this.post(method, params))
  }

  reply(id: string | number): Promise<Message> {
    const find = () => this.messages.find((message) => message.id === id && message.method === undefined)
    return waitFor(find, { what: `the reply to ${id}` })
  }

  waitForMessage(fits: (message: Message) => boolean, what: string): Promise<Message> {
    return waitFor(() => this.messages.find(fits), { what })
  }

  async initialize(capabilities: object = {}): Promise<Message> {
    const clientInfo = { name: 'raw', version: '0' }
    const reply = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
    this.write({ method: 'notifications/initialized' })
    return reply
  }

  call(name: string, args: object = {}, meta?: object): Promise<Message> {
    return this.request('tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) })
  }

  modern(method: string, params: object = {}): Promise<Message> {
    return this.request(method, { ...params, _meta: MODERN_META })
  }

  modernCall(name: string, args: object = {}, more: object = {}): Promise<Message> {
    return this.modern('tools/call', { name, arguments: args, ...more })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL')
    await this.exited
  }
}

/** A legacy client that has shaken hands. */
export async function connectLegacy(script: FixtureScript = {}, capabilities: object = {}): Promise<RawClient> {
  const client = new RawClient(script)
  await client.initialize(capabilities)
  return client
}

export function textOf(message: Message): string {
  const content = message.result?.content
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  return typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : ''
}
