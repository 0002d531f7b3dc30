/** An agent that writes and reads lines of JSON-RPC, and knows nothing: what it sends is what the test wrote. */
import type { Readable, Writable } from 'node:stream'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { LineReader } from '@switchboard/protocol/framing'
import { waitFor } from './wait-for.ts'

const MOST_BYTES = 100 * 1024 * 1024
/** The machine may be busy with anything. */
const PATIENCE_MS = 40_000

export interface LineAgentOptions {
  /** Told with an answer that does not come: what the other side said elsewhere. */
  readonly describe?: () => string
}

export class LineAgent {
  /** Everything that came, in its order. Whatever is no object is thrown at the test. */
  readonly received: JsonObject[] = []
  /** The first to each id. A test may ask thousands of times: nobody looks through all that came. */
  readonly #answers = new Map<unknown, JsonObject>()
  readonly #sink: Writable
  readonly #describe: () => string
  readonly #waiting = new Map<unknown, (message: JsonObject) => void>()
  readonly #onClosed = new Set<() => void>()
  #isClosed = false
  #nextId = 1

  /** Reads from `source` from now on. */
  constructor(source: Readable, sink: Writable, { describe = () => '' }: LineAgentOptions = {}) {
    this.#sink = sink
    this.#describe = describe
    // Whoever is gone does not read what a test still writes.
    sink.on('error', () => {})
    source.on('error', () => {})
    const reader = new LineReader(MOST_BYTES, {
      onLine: (line) => this.#receive(JSON.parse(line.toString())),
      onOversized: ({ bytes }) => source.destroy(new Error(`A line of ${bytes} bytes`)),
    })
    // Whoever else reads along may have asked for text.
    source.on('data', (chunk: Buffer | string) => reader.push(Buffer.from(chunk)))
    source.once('close', () => {
      this.#isClosed = true
      for (const tell of this.#onClosed) tell()
    })
  }

  /** The methods of what came by itself. */
  get notifications(): string[] {
    return this.received.flatMap(({ method }) => (typeof method === 'string' ? [method] : []))
  }

  send(message: JsonObject): void {
    this.#sink.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** As it is: what no agent would say. */
  sendText(text: string): void {
    this.#sink.write(text)
  }

  /** The response, be it a result or an error. */
  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = this.#nextId++
    const answer = this.answerTo(id, method)
    this.send({ id, method, params })
    return answer
  }

  call(name: string, args: JsonObject = {}): Promise<JsonObject> {
    return this.request('tools/call', { name, arguments: args })
  }

  /** Shakes hands as an agent of the legacy era. */
  async initialize(capabilities: JsonObject = {}, clientInfo = { name: 'raw', version: '1' }): Promise<JsonObject> {
    const answer = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
    this.send({ method: 'notifications/initialized' })
    return answer
  }

  /** Rejects when the connection ends without it. */
  answerTo(id: unknown, what = String(id)): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
    const fail = (why: string): void => reject(new Error(`No answer to ${what}: ${why}. ${this.#describe()}`))
    const onClosed = (): void => fail('the connection was closed')
    const timer = setTimeout(() => fail(`${PATIENCE_MS} ms are over`), PATIENCE_MS)
    this.#waiting.set(id, resolve)
    this.#onClosed.add(onClosed)
    const known = this.#answers.get(id)
    if (known !== undefined) resolve(known)
    else if (this.#isClosed) onClosed()
    const settled = promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(id)
      this.#onClosed.delete(onClosed)
    })
    // Whoever awaits it is told; a call that a test leaves behind is no failure of it.
    settled.catch(() => {})
    return settled
  }

  /** The first message of that method, a request or a notification. */
  waitForMethod(method: string): Promise<JsonObject> {
    const find = () => this.received.find((message) => message.method === method)
    return waitFor(find, { what: `${method}. ${this.#describe()}`, timeout: PATIENCE_MS })
  }

  #receive(message: unknown): void {
    if (!isJsonObject(message)) throw new Error(`Not a message: ${JSON.stringify(message)}`)
    this.received.push(message)
    if (message.method !== undefined) return
    if (!this.#answers.has(message.id)) this.#answers.set(message.id, message)
    this.#waiting.get(message.id)?.(message)
  }
}
