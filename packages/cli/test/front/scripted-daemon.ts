/** A front between an agent and daemons that a test plays by hand, all in this process. */
import { type Duplex, duplexPair, PassThrough } from 'node:stream'
import type { JsonObject } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import { STOPPING_METHOD } from '@switchboard/protocol/ipc'
import { createMemoryLogger } from '@switchboard/telemetry'
import { waitFor } from '@switchboard/testkit'
import { Front } from '../../src/front/front.ts'
import { FrontLink } from '../../src/front/front-link.ts'
import type { LinkRequest } from '../../src/front/uplink.ts'

/** Collects the messages of a stream of lines. */
export class Listener {
  readonly messages: JsonObject[] = []
  #rest = ''

  constructor(stream: NodeJS.ReadableStream) {
    stream.on('data', (chunk: Buffer | string) => {
      const lines = (this.#rest + chunk.toString()).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.messages.push(JSON.parse(line))
    })
  }

  async find(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    await waitFor(() => this.messages.some(fits))
    const message = this.messages.find(fits)
    if (message === undefined) throw new Error('It was there a moment ago')
    return message
  }

  byMethod(method: string): Promise<JsonObject> {
    return this.find((message) => message.method === method)
  }

  byId(id: unknown): Promise<JsonObject> {
    return this.find((message) => message.id === id)
  }
}

export class ScriptedDaemon extends Listener {
  readonly #stream: Duplex

  constructor(stream: Duplex) {
    super(stream)
    this.#stream = stream
    stream.on('error', () => undefined)
  }

  say(message: JsonObject): void {
    this.#stream.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  sayRaw(text: string): void {
    this.#stream.write(text)
  }

  /** As the kernel does it for a process that was killed. */
  die(): void {
    this.#stream.end()
  }

  announceStop(): void {
    this.say({ method: STOPPING_METHOD })
  }
}

export class Scene {
  readonly input = new PassThrough()
  readonly output: PassThrough
  readonly agent: Listener
  readonly log = createMemoryLogger()
  readonly front: Front
  /** Who is asked for a daemon and has not been given one yet. */
  readonly asked: {
    request: LinkRequest
    give(link: FrontLink | undefined): void
    refuse(error: SwitchboardError): void
  }[] = []

  constructor({ outputBytes = 64 * 1024, handshakeTimeout = 10_000 } = {}) {
    this.output = new PassThrough({ highWaterMark: outputBytes })
    this.agent = new Listener(this.output)
    this.front = new Front({
      input: this.input,
      output: this.output,
      log: this.log,
      handshakeTimeout,
      open: (request) => {
        const { promise, resolve, reject } = Promise.withResolvers<FrontLink | undefined>()
        this.asked.push({ request, give: resolve, refuse: reject })
        return promise
      },
    })
    this.front.start()
  }

  /** Answers the next request for a daemon with a new one, which says of these tools that they only read. */
  async daemon(repeatable?: readonly string[]): Promise<ScriptedDaemon> {
    await waitFor(() => this.asked.length > 0)
    const [ours, theirs] = duplexPair()
    const link = new FrontLink(ours)
    if (repeatable !== undefined) link.daemon = { protocol: 1, pid: 1, epoch: 1, version: '1', repeatable }
    this.asked.shift()?.give(link)
    return new ScriptedDaemon(theirs)
  }

  async refuse(error: SwitchboardError): Promise<LinkRequest> {
    await waitFor(() => this.asked.length > 0)
    const [next] = this.asked.splice(0, 1)
    if (next === undefined) throw new Error('Nobody asked')
    next.refuse(error)
    return next.request
  }

  say(message: JsonObject): void {
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** A legacy handshake, as far as the agent sees it. */
  async initialize(daemon: ScriptedDaemon, capabilities: JsonObject = { tools: { listChanged: true } }): Promise<void> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } }
    this.say({ id: 'init', method: 'initialize', params })
    await daemon.byId('init')
    daemon.say({ id: 'init', result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 's' } } })
    await this.agent.byId('init')
    this.say({ method: 'notifications/initialized' })
    await daemon.byMethod('notifications/initialized')
  }

  /** The front's own handshake with another daemon. */
  async resume(daemon: ScriptedDaemon, protocolVersion = '2025-06-18'): Promise<void> {
    const { id } = await daemon.byMethod('initialize')
    daemon.say({ id, result: { protocolVersion, capabilities: {}, serverInfo: { name: 's' } } })
  }
}
