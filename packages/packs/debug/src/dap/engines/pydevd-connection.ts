/**
 * A Python process that talks to us without an adapter in between: pydevd, the debugger inside of it, speaks the debug
 * adapter protocol itself, and this does the little that debugpy's adapter would. Owns the connection's handshake, the
 * nudges that keep it quick, and what its end means.
 */
import type { Socket } from 'node:net'
import { within } from '@switchboard/base'
import { type JsonMembers, readNumber, readObject, readString } from '../../json-values.ts'
import { createStreamWire, type Wire, type WireHandlers } from '../wire.ts'

export interface PythonProcess {
  readonly pid: number | undefined
  readonly parent: number | undefined
  readonly executable: string | undefined
  readonly version: string | undefined
}

/**
 * pydevd sends header and body apart, with Nagle's algorithm on: what it writes next waits until we have acknowledged the
 * last, and alone our side does that only after 40 ms. Anything that we send carries the acknowledgement along. To pydevd
 * this is a header that the next message's own replaces.
 */
const NUDGE = 'Content-Length: 0\r\n'

const LAST_WORDS_MS = 300
const RESUMING = new Set<unknown>(['continue', 'next', 'stepIn', 'stepOut'])

export class PydevdConnection {
  readonly #socket: Socket
  readonly #inner: Wire
  readonly #answers = new Map<number, (body: JsonMembers) => void>()
  readonly #closed = Promise.withResolvers<string>()
  /** What it says before somebody listens. */
  #early: JsonMembers[] = []
  #handlers: WireHandlers | undefined
  /** The last request that lets the program go on, until it is answered. */
  #resuming: { readonly sequence: number; readonly command: unknown } | undefined
  #sent = 0

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('error', () => {})
    this.#inner = createStreamWire(socket, socket, 'the program')
    this.#inner.open({
      onMessage: (message) => this.#receive(message),
      onNoise: (text) => this.#handlers?.onNoise(text),
      onClosed: (reason) => this.#closed.resolve(reason),
    })
    socket.on('data', () => this.#nudgeSoon())
  }

  /** Who it is, or undefined: it closed the connection, or does not know the secret that we gave to our program. */
  async introduce(token: string): Promise<PythonProcess | undefined> {
    const asked = Promise.all([
      this.#ask(1, 'pydevdAuthorize', { debugServerAccessToken: null }),
      this.#ask(2, 'pydevdSystemInfo', {}),
    ])
    const answers = await Promise.race([asked, this.#closed.promise])
    if (typeof answers === 'string') return undefined
    const [authorization, info] = answers
    if (authorization.clientAccessToken !== token) return undefined
    const { pid, ppid, executable } = readObject(info.process)
    return {
      pid: readNumber(pid),
      parent: readNumber(ppid),
      executable: readString(executable),
      version: /^[\d.]+/.exec(readString(readObject(info.python).version) ?? '')?.[0],
    }
  }

  /** `gone`: it counts as closed only then, for a program may replace itself by another, or run on without a debugger. */
  toWire(gone?: Promise<unknown>): Wire {
    return {
      open: (handlers) => {
        this.#handlers = handlers
        for (const message of this.#early.splice(0)) handlers.onMessage(message)
        void this.#closed.promise.then(async (reason) => {
          this.#answerResuming(handlers)
          await gone
          handlers.onClosed(reason)
        })
        void gone?.then(() => this.#hangUp())
      },
      send: (message) => this.#send(toOwnRequest(message)),
      close: () => this.close(),
    }
  }

  close(): void {
    this.#inner.close()
    this.#closed.resolve('the session has ended')
  }

  /** A process that the program forked may hold the connection open after its end. */
  #hangUp(): void {
    this.#socket.end()
    void within(this.#closed.promise, LAST_WORDS_MS).then(() => this.close())
  }

  #ask(sequence: number, command: string, args: object): Promise<JsonMembers> {
    const { promise, resolve } = Promise.withResolvers<JsonMembers>()
    this.#answers.set(sequence, resolve)
    this.#send({ seq: sequence, type: 'request', command, arguments: args })
    return promise
  }

  /** A program that ends at once takes the answer along. */
  #answerResuming(handlers: WireHandlers): void {
    if (this.#resuming === undefined) return
    const { sequence, command } = this.#resuming
    this.#resuming = undefined
    handlers.onMessage({ type: 'response', request_seq: sequence, command, success: true })
  }

  #send(message: unknown): void {
    this.#sent++
    const { seq, command } = readObject(message)
    if (RESUMING.has(command)) this.#resuming = { sequence: readNumber(seq) ?? 0, command }
    this.#inner.send(message)
  }

  #receive(message: JsonMembers): void {
    const sequence = message.type === 'response' ? readNumber(message.request_seq) : undefined
    if (sequence !== undefined && sequence === this.#resuming?.sequence) this.#resuming = undefined
    const answer = sequence === undefined ? undefined : this.#answers.get(sequence)
    if (sequence !== undefined && answer !== undefined) {
      this.#answers.delete(sequence)
      answer(readObject(message.body))
    } else if (message.event === 'terminated') {
      // It is about to end, and waits until we hang up.
      this.#socket.end()
    } else if (message.event === 'exited' && readObject(message.body).pydevdReason === 'processReplaced') {
      // What replaces it will connect, too; the process has not ended.
    } else if (this.#handlers === undefined) {
      this.#early.push(message)
    } else {
      this.#handlers.onMessage(message)
    }
  }

  #nudgeSoon(): void {
    const before = this.#sent
    setImmediate(() => {
      if (this.#sent === before && this.#socket.writable) this.#socket.write(NUDGE)
    })
  }
}

/** It can resume and pause one thread alone, and debuggers do not. */
function toOwnRequest(message: unknown): unknown {
  const request = readObject(message)
  if (request.command !== 'continue' && request.command !== 'pause') return message
  return { ...request, arguments: { ...readObject(request.arguments), threadId: '*' } }
}
