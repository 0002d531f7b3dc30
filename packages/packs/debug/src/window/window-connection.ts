/**
 * A line to the debugger of a VS Code window: one long command of its bridge, over which debug adapter messages go both ways. The
 * program itself and every process that it starts are targets of their own, each with a wire.
 */
import { errorMessage } from '@switchboard/base'
import { BridgeError, type BridgeTalk, talkToBridge } from '@switchboard/bridge'
import type { JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import type { ChildConnection } from '../dap/session-life.ts'
import type { Wire, WireHandlers } from '../dap/wire.ts'
import { readNumber, readObject, readString } from '../json-values.ts'

/** The window that runs the debugger, and for whom. */
export interface WindowAccess {
  readonly workspace: string
  /** Absent: any window of the folder will do. */
  readonly instance?: string | undefined
  /** Whose breakpoints hold; absent: each session has its own. */
  readonly owner?: string
  readonly traceId?: string
}

/** Longer than any session, and still a time that a timer takes. */
const TALK_MS = 20 * 24 * 3_600_000
/** For the window to end what it runs, before its line is cut. */
const CLOSE_MS = 10_000
let sessions = 0

export class WindowConnection {
  readonly #talk: BridgeTalk
  readonly #abort: AbortController
  readonly #targets = new Map<number, TargetWire>()

  private constructor(talk: BridgeTalk, abort: AbortController) {
    this.#talk = talk
    this.#abort = abort
  }

  /** Rejects with a ToolError. */
  static async open(access: WindowAccess, start: JsonObject, capabilities: JsonObject): Promise<WindowConnection> {
    const abort = new AbortController()
    const owner = access.owner ?? `session-${process.pid}-${++sessions}`
    let connection: WindowConnection | undefined
    const early: unknown[] = []
    const talk = await talkToBridge({
      workspace: access.workspace,
      instance: access.instance,
      scriptName: 'debug.session',
      params: { start, owner, keepsBreakpoints: access.owner !== undefined, pid: process.pid },
      timeout: TALK_MS,
      signal: abort.signal,
      ...(access.traceId === undefined ? {} : { traceId: access.traceId }),
      onMessage: (message) =>
        connection === undefined ? early.push(message) : connection.#receive(readObject(message)),
    }).catch((error: unknown) => {
      throw toToolError(error)
    })
    connection = new WindowConnection(talk, abort)
    connection.#targets.set(0, new TargetWire(0, connection, capabilities))
    for (const message of early) connection.#receive(readObject(message))
    talk.ended.then(
      () => connection.#end('the session has ended'),
      (error: unknown) => connection.#end(`VS Code is gone (${errorMessage(error)})`),
    )
    return connection
  }

  get wire(): Wire {
    return this.#wireOf(0)
  }

  /** Told of the children of a target. */
  onChild(target: number, listener: (child: ChildConnection) => void): void {
    this.#wireOf(target).onChild = listener
  }

  send(target: number, message: unknown): void {
    this.#talk.send({ target, message })
  }

  /** The window ends by itself what it was told to end; one that does not is told again. */
  closeSoon(): void {
    const timer = setTimeout(() => this.#abort.abort(new Error('the session has ended')), CLOSE_MS).unref()
    this.#talk.ended.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    )
  }

  /** The start was given up. */
  abandon(): void {
    this.#abort.abort(new Error('the session has ended'))
  }

  #wireOf(target: number): TargetWire {
    const known = this.#targets.get(target)
    if (known !== undefined) return known
    const wire = new TargetWire(target, this, this.#wireOf(0).capabilities)
    this.#targets.set(target, wire)
    return wire
  }

  #receive(packet: JsonObject): void {
    const target = readNumber(packet.target)
    if (target === undefined) return
    const wire = this.#wireOf(target)
    const closed = readString(packet.closed)
    const message = readObject(packet.message)
    if (closed !== undefined) wire.end(closed)
    else if (message.event === 'switchboardChild') this.#addChild(wire, readObject(message.body))
    else wire.receive(message)
  }

  #addChild(wire: TargetWire, body: JsonObject): void {
    const number = readNumber(body.target)
    if (number === undefined) return
    const child = this.#wireOf(number)
    wire.onChild?.({
      name: readString(body.name) ?? 'child',
      wire: child,
      args: {},
      onChild: (listener) => {
        child.onChild = listener
      },
    })
  }

  #end(reason: string): void {
    for (const wire of this.#targets.values()) wire.end(reason)
  }
}

/** What VS Code asks the adapter itself is answered here. */
class TargetWire implements Wire {
  readonly capabilities: JsonObject
  readonly #target: number
  readonly #connection: WindowConnection
  #handlers: WireHandlers | undefined
  readonly #early: JsonObject[] = []
  #isClosed = false
  onChild: ((child: ChildConnection) => void) | undefined

  constructor(target: number, connection: WindowConnection, capabilities: JsonObject) {
    this.#target = target
    this.#connection = connection
    this.capabilities = capabilities
  }

  open(handlers: WireHandlers): void {
    this.#handlers = handlers
    for (const message of this.#early.splice(0)) handlers.onMessage(message)
  }

  send(message: unknown): void {
    if (this.#isClosed) return
    const request = readObject(message)
    const { command, seq } = request
    if (command === 'initialize') {
      this.#say({ type: 'response', request_seq: seq, command, success: true, body: this.capabilities })
      return
    }
    this.#connection.send(this.#target, request)
    // The window says so to its adapter, when it starts the program.
    if (command === 'launch' || command === 'attach') this.#say({ type: 'event', event: 'initialized', body: {} })
  }

  close(): void {
    this.#isClosed = true
    if (this.#target === 0) this.#connection.closeSoon()
  }

  receive(message: JsonObject): void {
    if (this.#isClosed) return
    if (this.#handlers === undefined) this.#early.push(message)
    else this.#handlers.onMessage(message)
  }

  end(reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#handlers?.onClosed(reason)
  }

  /** After whoever asked has come to wait for it. */
  #say(message: JsonObject): void {
    queueMicrotask(() => this.receive(message))
  }
}

export function toToolError(error: unknown): unknown {
  if (!(error instanceof BridgeError)) return error
  const { code, message, hint, details } = error
  const known = ['E_BRIDGE_UNAVAILABLE', 'E_PICKUP_TIMEOUT', 'E_CAPACITY', 'E_TIMEOUT', 'E_NO_RESPONSE']
  return new ToolError(known.includes(code) ? code : 'E_OPERATION_FAILED', message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  })
}
