/**
 * Between one agent and the daemon: lines pass as they are, and the front remembers just enough of them to make a daemon's
 * death harmless.
 *
 * Invariants
 * 1. Every request of the agent gets exactly one answer: the daemon's, or the front's when no daemon can give it. A handshake
 *    is never refused: an agent that is connected hears what is wrong, and notices when it is cured.
 * 2. A request that may have changed something is never sent twice: a call only of a tool of which the daemon has said that it reads.
 * 3. The agent never sees an answer that is not its own, nor hears of a question's end twice.
 * 4. Whoever reads too slowly stops whoever writes; nothing grows without bound.
 */
import type { Readable, Writable } from 'node:stream'
import { createFailure, isJsonObject, isRequestId, type JsonObject, type RequestId } from '@switchboard/protocol'
import { createErrorMeta, SwitchboardError, toJsonRpcError } from '@switchboard/protocol/errors'
import { encodeMessage, LineReader, recoverId, stringifyJson } from '@switchboard/protocol/framing'
import { REPLACED_METHOD, STOPPING_METHOD, TIMES_WANTED_METHOD } from '@switchboard/protocol/ipc'
import { ACKNOWLEDGED_METHOD, LISTEN_METHOD, readSubscriptionId } from '@switchboard/protocol/modern'
import type { Logger } from '@switchboard/telemetry'
import { Conversation, createListenChanges } from './conversation.ts'
import { createFailureLine } from './failure-line.ts'
import type { FrontLink } from './front-link.ts'
import { FrontTimes } from './front-times.ts'
import { HeldLines } from './held-lines.ts'
import { Ledger, type OpenRequest } from './ledger.ts'
import { MAX_LINE_BYTES } from './limits.ts'
import { LineOutput } from './line-output.ts'
import { classify, type MessageHead, parseMessageHead, type RequestHead, readMessageHead } from './message-head.ts'
import { Questions } from './questions.ts'
import { createStandIn } from './stand-in.ts'
import { type Farewell, Uplink, type UplinkOptions } from './uplink.ts'

export interface FrontOptions {
  readonly input: Readable
  readonly output: Writable
  readonly open: UplinkOptions['open']
  readonly log: Logger
  /** Milliseconds in which a new daemon has to answer the handshake. Default: 10 s. */
  readonly handshakeTimeout?: number
}

export class Front {
  readonly #input: Readable
  readonly #output: LineOutput
  readonly #log: Logger
  readonly #uplink: Uplink
  readonly #ledger = new Ledger()
  readonly #held = new HeldLines()
  readonly #questions = new Questions()
  readonly #conversation = new Conversation()
  readonly #ended = Promise.withResolvers<string>()
  /** Ids of our own requests to a new daemon. */
  readonly #replays = new Set<RequestId>()
  /** Streams that were acknowledged by an earlier daemon. */
  readonly #acknowledged = new Set<RequestId>()
  readonly #handshakeTimeout: number
  /** Of requests that the daemon has answered; undefined: it does not want them. */
  #times: FrontTimes | undefined
  /** Tools of which a call may be sent again. */
  #repeatable: ReadonlySet<string> = new Set()
  #onHandshake: ((answer: JsonObject) => void) | undefined
  #handshakeTimer: NodeJS.Timeout | undefined
  /** A new daemon is being told of the conversation; the agent's lines wait. */
  #isResuming = false
  #attachments = 0
  /** The agent was given lists of the front's own, which are not those of a daemon. */
  #hasStoodIn = false

  constructor({ input, output, open, log, handshakeTimeout = 10_000 }: FrontOptions) {
    this.#input = input
    this.#handshakeTimeout = handshakeTimeout
    this.#output = new LineOutput(output)
    this.#log = log
    this.#uplink = new Uplink({
      open,
      onAttached: (link) => this.#onAttached(link),
      onLine: (line) => this.#onDaemonLine(line),
      onDrain: () => this.#balance(),
      onGone: (reason, farewell) => this.#onGone(reason, farewell),
      onUnavailable: (error) => this.#onUnavailable(error),
    })
    const reader = new LineReader(MAX_LINE_BYTES, {
      onLine: (line) => this.#onAgentLine(line),
      onOversized: ({ bytes, head, tail }) => {
        const error = new SwitchboardError('request_too_large', `A message of ${bytes} bytes is too large`)
        const id = recoverId(head, tail) ?? null
        const meta = createErrorMeta({ id, begun: performance.now() })
        this.#output.write(encodeMessage(createFailure(id, toJsonRpcError(error, meta))))
      },
    })
    input.on('data', (chunk: Buffer) => {
      reader.push(chunk)
      this.#uplink.link?.flush()
      this.#balance()
    })
    input.once('end', () => this.#ended.resolve('stdin EOF detected'))
    input.once('error', (error) => this.#ended.resolve(`stdin failed: ${error.message}`))
    output.once('error', (error) => this.#ended.resolve(`stdout failed: ${error.message}`))
    output.on('drain', () => this.#balance())
  }

  /** The agent is gone. The text says how that was noticed. */
  get ended(): Promise<string> {
    return this.#ended.promise
  }

  start(): void {
    this.#uplink.start()
  }

  close(): void {
    clearTimeout(this.#handshakeTimer)
    this.#times?.flush()
    this.#uplink.close()
    this.#output.flush()
  }

  /** Invariant 4. */
  #balance(): void {
    const { link } = this.#uplink
    if (this.#held.isFull || link?.isFull === true) this.#input.pause()
    else this.#input.resume()
    if (this.#output.isFull) link?.pause()
    else link?.resume()
  }

  get #canSend(): boolean {
    return this.#uplink.link !== undefined && !this.#isResuming
  }

  #onAgentLine(line: Buffer): void {
    const head = readMessageHead(line)
    if (head.kind !== 'batch') this.#onAgentMessage(line, head)
    else {
      const heads = head.messages.map(classify)
      // An empty or broken batch is refused as a whole; a good one is no more than its messages.
      if (heads.length === 0 || heads.includes(undefined)) this.#sendOrHold(line)
      else for (const one of heads) if (one !== undefined) this.#onAgentMessage(toLine(one), one)
    }
  }

  #onAgentMessage(line: Buffer, head: MessageHead): void {
    switch (head.kind) {
      case 'request':
        this.#onAgentRequest(line, head)
        break
      case 'notification':
        this.#onAgentNotification(line, head.method, head.message)
        break
      case 'response': {
        const answer = this.#questions.answer(line, head)
        if (answer !== undefined) this.#uplink.link?.send(answer)
        break
      }
      default:
        this.#sendOrHold(line)
    }
  }

  #onAgentRequest(line: Buffer, { id, method }: RequestHead): void {
    this.#conversation.onRequest(method)
    const request = { id, method, begun: performance.now() }
    if (this.#canSend && !this.#uplink.isLeaving) {
      if (method === LISTEN_METHOD) this.#acknowledged.delete(id)
      this.#ledger.add(request, line)
      this.#uplink.link?.send(line)
      return
    }
    const failure = this.#uplink.want()
    if (failure === undefined) this.#held.add(line, request)
    else this.#standIn(request, line, failure)
  }

  #onAgentNotification(line: Buffer, method: string, message: JsonObject | undefined): void {
    if (method === 'notifications/cancelled' && isJsonObject(message?.params)) {
      const { requestId } = message.params
      if (this.#held.removeRequest(requestId)) return
      const request = isRequestId(requestId) ? this.#ledger.find(requestId) : undefined
      if (request !== undefined) {
        this.#ledger.remove(request.id)
        this.#times?.note(request.id, request.begun)
      }
    }
    if (method === 'notifications/initialized' && this.#conversation.onInitialized() && !this.#canSend) return
    this.#sendOrHold(line)
  }

  #sendOrHold(line: Buffer): void {
    if (this.#canSend) this.#uplink.link?.send(line)
    else if (this.#uplink.state !== 'unavailable') this.#held.add(line)
  }

  #onDaemonLine(line: Buffer): void {
    const head = readMessageHead(line)
    switch (head.kind) {
      case 'response':
        if (this.#onDaemonAnswer(line, head)) break
        return
      case 'request':
        this.#output.write(this.#questions.ask(line, head))
        break
      case 'notification':
        this.#onDaemonNotification(line, head.method, head.message)
        break
      default:
        this.#output.write(line)
    }
    if (this.#output.isFull) this.#uplink.link?.pause()
  }

  /** Whether it was passed on. */
  #onDaemonAnswer(line: Buffer, { id, message }: Extract<MessageHead, { kind: 'response' }>): boolean {
    if (id !== null && this.#replays.delete(id)) {
      const answer = message ?? parse(line)
      if (answer.error !== undefined) this.#log.warn('mcp.reconnect', 'a replayed request failed', { id, ...answer })
      this.#onHandshake?.(answer)
      return false
    }
    const request = id === null ? undefined : this.#ledger.find(id)
    if (request !== undefined) {
      // The stream does not end because its daemon does: it goes on with the next one.
      if (request.method === LISTEN_METHOD && this.#uplink.isLeaving) return false
      this.#ledger.remove(request.id)
      this.#acknowledged.delete(request.id)
      this.#conversation.onAnswer(request, () => message ?? parse(line))
    }
    this.#output.write(line)
    if (request !== undefined) this.#times?.note(request.id, request.begun)
    return true
  }

  #onDaemonNotification(line: Buffer, method: string, message: JsonObject | undefined): void {
    if (method === STOPPING_METHOD) {
      this.#log.info('mcp.reconnect', 'the daemon is about to stop')
      this.#uplink.onFarewell('stopping')
      return
    }
    if (method === TIMES_WANTED_METHOD) {
      this.#tellTimes()
      return
    }
    if (method === REPLACED_METHOD) {
      this.#uplink.onFarewell('replaced')
      return
    }
    if (method === ACKNOWLEDGED_METHOD) {
      const stream = readSubscriptionId(message?.params)
      // Of a stream that goes on, the agent has heard that already.
      if (stream !== undefined && this.#acknowledged.has(stream)) return
      if (stream !== undefined && this.#ledger.find(stream) !== undefined) this.#acknowledged.add(stream)
    }
    const isWithdrawal = method === 'notifications/cancelled' && message !== undefined
    this.#output.write(isWithdrawal ? this.#questions.withdraw(line, message) : line)
  }

  #onAttached(link: FrontLink): void {
    const isFirst = this.#attachments++ === 0
    const { pid, epoch, version, wants_times: wantsTimes, repeatable } = link.daemon ?? {}
    this.#repeatable = new Set(repeatable)
    this.#times = undefined
    if (wantsTimes === true) this.#tellTimes()
    const text = isFirst ? 'attached to the daemon' : 'attached to a daemon again'
    this.#log.info('mcp.attach', text, { pid, epoch, version })
    const handshake = this.#conversation.createHandshake()
    if (handshake === undefined) {
      this.#goOn(link)
      return
    }
    this.#isResuming = true
    this.#replays.add(handshake.id)
    this.#handshakeTimer = setTimeout(
      () => this.#uplink.drop('it did not answer the handshake'),
      this.#handshakeTimeout,
    )
    this.#onHandshake = (answer) => {
      clearTimeout(this.#handshakeTimer)
      this.#onHandshake = undefined
      const versions = this.#conversation.differingVersion(answer)
      if (versions !== undefined) this.#log.warn('mcp.reconnect', 'another protocol version than before', versions)
      for (const { id, line } of this.#conversation.createFollowUp()) {
        if (id !== undefined) this.#replays.add(id)
        link.send(line)
      }
      this.#goOn(link)
    }
    link.send(handshake.line)
  }

  #tellTimes(): void {
    this.#times ??= new FrontTimes((line) => this.#uplink.link?.send(line))
  }

  /** What waited goes to the daemon, in the order in which the agent said it. */
  #goOn(link: FrontLink): void {
    this.#isResuming = false
    const resumed = this.#ledger.repeatable()
    for (const { line } of resumed) link.send(line)
    for (const { line, request } of this.#held.takeAll()) {
      if (request !== undefined) this.#ledger.add(request, line)
      link.send(line)
    }
    if (this.#attachments > 1 || this.#hasStoodIn) {
      this.#hasStoodIn = false
      for (const line of this.#conversation.createListChanges()) this.#output.write(line)
      for (const { id, method, line } of resumed) {
        if (method === LISTEN_METHOD) for (const change of createListenChanges(id, line)) this.#output.write(change)
      }
    }
    this.#balance()
  }

  #onGone(reason: string, farewell: Farewell | undefined): void {
    clearTimeout(this.#handshakeTimer)
    this.#isResuming = false
    this.#onHandshake = undefined
    this.#replays.clear()
    // A person who stopped it wants no other one for a call.
    const lost = this.#ledger.takeLost((line) => farewell === undefined && this.#isRepeatable(line))
    const what = describeEnd(farewell)
    this.#log.warn('mcp.reconnect', farewell === undefined ? `${what}: ${reason}` : what, { calls_lost: lost.length })
    const error = new SwitchboardError('daemon_restarted', `${what} while this was under way`)
    for (const request of lost) this.#answer(request, error)
    for (const line of this.#questions.renew()) this.#output.write(line)
    const isAwaited = this.#held.hasRequest || this.#ledger.repeatable().some(({ method }) => method !== LISTEN_METHOD)
    if (farewell !== undefined && isAwaited) this.#uplink.want()
    this.#balance()
  }

  #isRepeatable(line: Buffer): boolean {
    // Of a long line only the edges were looked at.
    const head = this.#repeatable.size === 0 ? undefined : parseMessageHead(line)
    const params = head?.kind === 'request' ? head.message?.params : undefined
    return isJsonObject(params) && typeof params.name === 'string' && this.#repeatable.has(params.name)
  }

  #onUnavailable(error: SwitchboardError): void {
    this.#log.error('mcp.unavailable', error.message, { code: error.code, hint: error.hint, ...error.details })
    for (const request of this.#ledger.takeWaiting()) this.#standIn(request, request.line, error)
    for (const { request, line } of this.#held.takeAll()) {
      if (request !== undefined) this.#standIn(request, line, error)
    }
    this.#balance()
  }

  /** In place of a daemon that cannot be had. */
  #standIn(request: OpenRequest, line: Buffer | undefined, error: SwitchboardError): void {
    const answer = createStandIn(request, line, error, { isModern: !this.#conversation.isLegacy })
    if (answer === undefined) {
      this.#answer(request, error)
      return
    }
    this.#hasStoodIn = true
    this.#conversation.onAnswer({ ...request, line }, () => parse(Buffer.from(answer)))
    this.#output.write(answer)
  }

  #answer(request: OpenRequest, error: SwitchboardError): void {
    this.#output.write(createFailureLine(request, error, { isModern: !this.#conversation.isLegacy }))
  }
}

function describeEnd(farewell: Farewell | undefined): string {
  if (farewell === 'replaced') return 'Another front with the same instance id took this place'
  return farewell === 'stopping' ? 'The daemon was stopped' : 'The daemon ended'
}

function toLine(head: MessageHead): Buffer {
  return Buffer.from(stringifyJson('message' in head ? head.message : null))
}

/** A line that was found to be a message is an object. */
function parse(line: Buffer): JsonObject {
  return JSON.parse(line.toString()) as JsonObject
}
