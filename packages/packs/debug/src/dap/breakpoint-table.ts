/**
 * Our breakpoints as one adapter has them. Owns the numbers on both sides, the counting of hits where the adapter cannot,
 * and the verdict on a stop: is it one that a person asked for, or one that we emulate something with?
 */
import { isDeepStrictEqual } from 'node:util'
import { ToolError } from '@switchboard/toolkit'
import type { BreakpointRequest, BreakpointState, Place } from '../engine/debug-session.ts'
import { type HitCondition, parseHitCondition } from '../engine/hit-condition.ts'
import { type JsonMembers, readNumber, readObjects, readString } from '../json-values.ts'
import { markFailure, markLogMessage, parseLogMessage } from './log-marks.ts'
import type { DapTraits } from './traits.ts'

interface Entry {
  readonly request: BreakpointRequest
  readonly path: string
  /** Of the adapter. */
  adapterId: number | undefined
  line: number
  /** Set when we count ourselves. */
  readonly counted: HitCondition | undefined
  readonly emulatedLog: string | undefined
  hits: number
}

/** What a stop means. `log`: messages of logpoints that we print ourselves. */
export interface Verdict {
  readonly ids: readonly string[]
  readonly logs: readonly { readonly id: string; readonly message: string; readonly place: Place }[]
  readonly shouldStop: boolean
}

export interface AdapterAbilities {
  readonly conditions: boolean
  readonly hitConditions: boolean
  readonly logpoints: boolean
}

export class BreakpointTable {
  readonly #traits: DapTraits
  readonly #abilities: AdapterAbilities
  readonly #files = new Map<string, Entry[]>()

  constructor(traits: DapTraits, abilities: AdapterAbilities) {
    this.#traits = traits
    this.#abilities = abilities
  }

  get files(): readonly (readonly [path: string, breakpoints: readonly BreakpointRequest[]])[] {
    return [...this.#files].map(([path, entries]) => [path, entries.map((entry) => entry.request)])
  }

  get isEmpty(): boolean {
    return this.#files.size === 0
  }

  /** Stops that nobody is told of are likely. */
  get isEmulating(): boolean {
    return this.#entries().some(({ counted, emulatedLog }) => counted !== undefined || emulatedLog !== undefined)
  }

  /** Remembers them and returns what to send. Counts survive for those that did not change. */
  replace(path: string, requests: readonly BreakpointRequest[]): object[] {
    const before = this.#files.get(path) ?? []
    const entries = requests.map((request) => {
      const same = before.find((entry) => isDeepStrictEqual(entry.request, request))
      return same ?? this.#createEntry(path, request)
    })
    if (entries.length === 0) this.#files.delete(path)
    else this.#files.set(path, entries)
    return entries.map((entry) => this.#toWire(entry))
  }

  /** The adapter's answer, in the order of the request. */
  accept(path: string, answer: JsonMembers): BreakpointState[] {
    const rows = readObjects(answer.breakpoints)
    return (this.#files.get(path) ?? []).map((entry, index) => {
      const row = rows[index] ?? { verified: false, message: 'the debug adapter did not say anything about it' }
      entry.adapterId = readNumber(row.id)
      return this.#toState(entry, row)
    })
  }

  /** An event about one of them; undefined: not ours. */
  update(row: JsonMembers): BreakpointState | undefined {
    const id = readNumber(row.id)
    const entry = this.#entries().find((candidate) => id !== undefined && candidate.adapterId === id)
    return entry === undefined ? undefined : this.#toState(entry, row)
  }

  /** A stop at a breakpoint: by the adapter's numbers, else by the place. */
  judge(adapterIds: readonly number[], place: Place | undefined): Verdict {
    const entries = this.#entries()
    const byId = entries.filter((entry) => entry.adapterId !== undefined && adapterIds.includes(entry.adapterId))
    const hit = byId.length > 0 ? byId : entries.filter((entry) => place !== undefined && isAt(entry, place))
    for (const entry of hit) entry.hits++
    const due = hit.filter((entry) => entry.counted === undefined || entry.counted.isMet(entry.hits))
    const stops = due.filter((entry) => entry.emulatedLog === undefined)
    return {
      ids: stops.map((entry) => entry.request.id),
      logs: due.flatMap((entry) =>
        entry.emulatedLog === undefined
          ? []
          : [{ id: entry.request.id, message: entry.emulatedLog, place: { path: entry.path, line: entry.line } }],
      ),
      shouldStop: stops.length > 0 || (hit.length === 0 && !this.#isLeftover(adapterIds)),
    }
  }

  isOurs(adapterId: number): boolean {
    return this.#entries().some((entry) => entry.adapterId === adapterId)
  }

  /** A stop without a breakpoint of ours, at an adapter that goes on stopping at removed ones. */
  #isLeftover(adapterIds: readonly number[]): boolean {
    return this.#traits.keepsRemovedBreakpoints === true && adapterIds.length === 0
  }

  #entries(): Entry[] {
    return [...this.#files.values()].flat()
  }

  #createEntry(path: string, request: BreakpointRequest): Entry {
    const { condition, hitCondition, logMessage } = request
    if (condition !== undefined && !this.#abilities.conditions) {
      throw new ToolError('E_UNSUPPORTED_CAPABILITY', 'This debug adapter knows no conditions on breakpoints.')
    }
    const hits = hitCondition === undefined ? undefined : parseHitCondition(hitCondition)
    const isNativeHit = hits !== undefined && this.#nativeHit(hits) !== undefined
    // A logpoint never stops where the adapter logs itself, so nobody could count its hits.
    const emulatesLog =
      logMessage !== undefined &&
      (this.#traits.logpoints === 'emulated' || !this.#abilities.logpoints || (hits !== undefined && !isNativeHit))
    return {
      request,
      path,
      adapterId: undefined,
      line: request.line,
      counted: isNativeHit ? undefined : hits,
      emulatedLog: emulatesLog ? logMessage : undefined,
      hits: 0,
    }
  }

  #nativeHit({ operator, count }: HitCondition): string | undefined {
    return this.#abilities.hitConditions ? this.#traits.hitCondition?.(operator, count) : undefined
  }

  #toWire(entry: Entry): object {
    const { line, column, condition, hitCondition, logMessage, id } = entry.request
    const isNativeLog = logMessage !== undefined && entry.emulatedLog === undefined
    const wrap = this.#traits.wrapLogMessage
    return {
      line,
      ...(column === undefined ? {} : { column }),
      ...(condition === undefined
        ? {}
        : { condition: this.#traits.wrapCondition?.(condition, markFailure(id)) ?? condition }),
      ...(hitCondition === undefined || entry.counted !== undefined
        ? {}
        : { hitCondition: this.#nativeHit(parseHitCondition(hitCondition)) }),
      ...(isNativeLog ? { logMessage: markLogMessage(id, wrap?.(parseLogMessage(logMessage)) ?? logMessage) } : {}),
      ...(this.#traits.showsBreakpoints ? { shown: { condition, logMessage } } : {}),
    }
  }

  #toState(entry: Entry, row: JsonMembers): BreakpointState {
    const verified = row.verified === true
    const line = readNumber(row.line)
    if (verified && line !== undefined && line > 0) entry.line = line
    const said = readString(row.message)
    const message = said === undefined || said === '' ? undefined : said
    return {
      id: entry.request.id,
      verified,
      ...(entry.line === entry.request.line ? {} : { line: entry.line }),
      ...(verified
        ? {}
        : {
            message:
              this.#traits.unboundReason ??
              message ??
              'no code is loaded for this line yet, or the line has none, such as a comment',
          }),
    }
  }
}

function isAt(entry: Entry, place: Place): boolean {
  return entry.path === place.path && (entry.line === place.line || entry.request.line === place.line)
}
