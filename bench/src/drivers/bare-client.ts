/**
 * What a direct connection costs at the least: spawn, newline framing, JSON, a map by id. No timeouts, no cancelling, no
 * checks, no limits, no death of the server: everything that the pool adds is missing on purpose.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { LATEST_LEGACY_VERSION, LATEST_MODERN_VERSION } from '@switchboard/protocol'
import { createRequestEnvelope } from '@switchboard/protocol/modern'
import type { ServerCommand } from './driver-protocol.ts'

export interface EchoResult {
  readonly content: readonly { readonly text: string }[]
}

interface ToolList {
  readonly tools: readonly { readonly name: string }[]
}

const CLIENT_INFO = { name: 'bare', version: '1.0.0' }

type Answer = { readonly id: number; readonly result: unknown }

export class BareClient {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (result: unknown) => void>()
  /** What every request of the modern era carries. */
  readonly #meta: object
  #nextId = 1
  #rest = ''
  #tool = 'echo'

  constructor({ command, args }: ServerCommand, era: 'legacy' | 'modern' = 'legacy') {
    const version = LATEST_MODERN_VERSION
    const envelope = createRequestEnvelope({ version, capabilities: {}, clientInfo: CLIENT_INFO })
    this.#meta = era === 'modern' ? { _meta: envelope } : {}
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk))
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async initialize(): Promise<void> {
    const protocolVersion = LATEST_LEGACY_VERSION
    await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo: CLIENT_INFO })
    this.#write({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  /** As every client must: initialize, its notification, and the list of tools. */
  async shakeHands(): Promise<void> {
    if (!('_meta' in this.#meta)) await this.initialize()
    // A gateway may list the tools of a server only once that has started, and under a name of its own.
    for (;;) {
      const { tools } = (await this.request('tools/list', this.#meta)) as ToolList
      const tool = tools.find(({ name }) => name.endsWith('echo'))
      if (tool !== undefined) {
        this.#tool = tool.name
        return
      }
      await delay(20)
    }
  }

  async echo(text: string): Promise<string> {
    const params = { name: this.#tool, arguments: { text }, ...this.#meta }
    const result = (await this.request('tools/call', params)) as EchoResult
    return result.content[0]?.text ?? ''
  }

  request(method: string, params: object): Promise<unknown> {
    const id = this.#nextId++
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#write({ jsonrpc: '2.0', id, method, params })
    })
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await exited
  }

  #write(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  #read(chunk: string): void {
    const text = this.#rest === '' ? chunk : this.#rest + chunk
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const { id, result } = JSON.parse(text.slice(start, end)) as Answer
      this.#waiting.get(id)?.(result)
      this.#waiting.delete(id)
      start = end + 1
    }
    this.#rest = start === 0 ? text : text.slice(start)
  }
}
