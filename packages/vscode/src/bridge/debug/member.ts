/** One debug session of VS Code as a part of what an agent takes for one program: its process, or one of its workers. */
import type { JsonObject } from '@switchboard/protocol'
import type * as vscode from 'vscode'
import type { AgentBreakpoints, Wish } from './agent-breakpoints.ts'
import {
  type DapMessage,
  describeFailure,
  readNumber,
  readNumbers,
  readObject,
  readObjects,
  readText,
} from './dap-messages.ts'

/** A breakpoint of another agent: it stops nobody here. */
const FOREIGN = -1
/** The person's own. */
const PERSONS = 0

export interface KnownBreakpoint extends JsonObject {
  readonly id: number
  readonly verified: boolean
}

interface Waiting {
  readonly command: string
  readonly args: string
  seq: number | undefined
  resolve(body: unknown): void
  reject(error: Error): void
}

export class Member {
  readonly session: vscode.DebugSession
  /** js-debug: it starts the program and prints what it says, and has no threads. */
  readonly isLauncher: boolean
  /** Threads that stand, as far as their stop was told. */
  readonly stopped = new Set<number>()
  readonly states = new Map<number, KnownBreakpoint>()
  /** What VS Code has told the adapter of a file, and the adapter has answered to. */
  readonly told = new Map<string, readonly number[]>()
  readonly #asked = new Map<number, { readonly path: string; readonly ids: readonly number[] }>()
  readonly #ids = new Map<number, number>()
  readonly #waiting: Waiting[] = []
  hasEnded = false

  constructor(session: vscode.DebugSession, isLauncher: boolean) {
    this.session = session
    this.isLauncher = isLauncher
  }

  /** Answered as soon as the adapter has answered: what happens after that is told after the answer. */
  ask(command: string, args: JsonObject): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const waiting: Waiting = { command, args: JSON.stringify(args), seq: undefined, resolve, reject }
    this.#waiting.push(waiting)
    const forget = (): void => {
      const index = this.#waiting.indexOf(waiting)
      if (index !== -1) this.#waiting.splice(index, 1)
    }
    void this.session.customRequest(command, args).then(resolve, reject)
    return promise.finally(forget)
  }

  /** VS Code passes on what somebody asks. */
  noteRequest({ command, arguments: args = {}, seq }: DapMessage): void {
    const found = this.#waiting.find(
      (one) => one.seq === undefined && one.command === command && one.args === JSON.stringify(args),
    )
    if (found !== undefined) found.seq = readNumber(seq)
  }

  answer(message: DapMessage): void {
    const seq = readNumber(message.request_seq)
    const found = this.#waiting.find((one) => one.seq !== undefined && one.seq === seq)
    if (message.success === true) found?.resolve(message.body)
    else found?.reject(new Error(describeFailure(message)))
  }

  /** Writes what the agent wants into what VS Code is about to send. */
  rewriteBreakpoints(message: DapMessage, owner: string, breakpoints: AgentBreakpoints): void {
    const { source, breakpoints: rows } = readObject(message.arguments)
    const path = readText(readObject(source).path) ?? ''
    const wishes = breakpoints.of(owner, path)
    const ids = readObjects(rows).map((row) => {
      const line = readNumber(row.line) ?? 0
      const wish = wishes.find((one) => one.line === line)
      if (wish !== undefined) {
        rewrite(row, wish)
        return wish.id
      }
      if (!breakpoints.isAnyAgents(path, line) || !breakpoints.isShownByUs(path, line)) return PERSONS
      // What another agent logs is not what this program prints: it stops here, and goes on at once.
      delete row.logMessage
      return FOREIGN
    })
    const seq = readNumber(message.seq)
    if (seq !== undefined) this.#asked.set(seq, { path, ids })
  }

  /** The states that changed by the adapter's answer. */
  acceptBreakpoints(message: DapMessage): KnownBreakpoint[] {
    const seq = readNumber(message.request_seq) ?? -1
    const asked = this.#asked.get(seq)
    this.#asked.delete(seq)
    if (asked === undefined || message.success !== true) return []
    const rows = readObjects(readObject(message.body).breakpoints)
    this.told.set(
      asked.path,
      asked.ids.filter((id) => id > 0),
    )
    return asked.ids.flatMap((id, index) => {
      const row = rows[index] ?? {}
      const adapterId = readNumber(row.id)
      if (adapterId !== undefined) this.#ids.set(adapterId, id)
      return id > 0 ? [this.#keep(id, row)] : []
    })
  }

  /** Of an event about a breakpoint; undefined: not of this agent. */
  updateBreakpoint(row: JsonObject): KnownBreakpoint | undefined {
    const id = this.#ids.get(readNumber(row.id) ?? Number.NaN)
    return id === undefined || id <= 0 ? undefined : this.#keep(id, row)
  }

  /** By our numbers. `isForeign`: nothing but breakpoints of other agents was hit. */
  readHits(body: JsonObject): { readonly ids: readonly number[]; readonly isForeign: boolean } {
    const hits = readNumbers(body.hitBreakpointIds).map((id) => this.#ids.get(id) ?? PERSONS)
    return { ids: hits.filter((id) => id > 0), isForeign: hits.length > 0 && hits.every((id) => id === FOREIGN) }
  }

  #keep(id: number, row: JsonObject): KnownBreakpoint {
    const line = readNumber(row.line)
    const message = readText(row.message)
    const state: KnownBreakpoint = {
      id,
      verified: row.verified === true,
      ...(line === undefined ? {} : { line }),
      // It says no more than `verified` does.
      ...(message === undefined || message === 'Unbound breakpoint' ? {} : { message }),
    }
    this.states.set(id, state)
    return state
  }
}

function rewrite(row: JsonObject, { wire }: Wish): void {
  for (const key of ['condition', 'hitCondition', 'logMessage'] as const) {
    if (wire[key] === undefined) delete row[key]
    else row[key] = wire[key]
  }
}
