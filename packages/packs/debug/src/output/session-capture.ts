/**
 * What one debug session printed and did, bounded: lines of output in one ring, events in another, so that a program that
 * prints without end pushes out its own old lines and never the stops and exceptions. Totals count what was dropped too.
 * Text is kept as the program wrote it, and made fit to be shown where it is read.
 */
import { stripVTControlCharacters } from 'node:util'
import { maskLooks } from '@switchboard/telemetry'
import type { DebugSession, ExceptionInfo, OutputCategory, Place, SessionEvent } from '../engine/debug-session.ts'
import { EntryRing } from './entry-ring.ts'
import { type JoinedLine, LineJoiner } from './line-joiner.ts'

export interface OutputLine {
  /** Position among all entries of the session, lines and events alike. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly category: OutputCategory
  readonly text: string
  readonly place?: Place
  readonly fromLogpoint?: true
}

export type CapturedEventType =
  | 'started'
  | 'stopped'
  | 'continued'
  | 'exception'
  | 'thread'
  | 'breakpoint'
  | 'child'
  | 'exited'
  | 'terminated'

export interface CapturedEvent {
  readonly seq: number
  readonly at: number
  readonly type: CapturedEventType
  readonly text: string
  readonly threadId?: number
}

export interface CapturedException {
  readonly seq: number
  readonly at: number
  readonly type: string
  readonly message: string
  readonly isUncaught?: boolean
  readonly stack: readonly string[]
}

export interface CaptureLimits {
  readonly maxLines: number
  readonly maxBytes: number
  readonly maxEvents: number
  readonly maxExceptions: number
  readonly maxLineLength: number
}

const DEFAULT_CAPTURE_LIMITS: CaptureLimits = {
  maxLines: 20_000,
  maxBytes: 2 * 1024 * 1024,
  maxEvents: 2_000,
  maxExceptions: 100,
  maxLineLength: 4_000,
}

const CATEGORIES: readonly OutputCategory[] = ['stdout', 'stderr', 'console']
/** Two bytes a character and what an object costs: an estimate that is never too low by much. */
const ENTRY_OVERHEAD = 96
const STACK_FRAMES = 20
const MAX_EVENT_TEXT = 300

export interface CaptureTotals {
  readonly lines: Readonly<Record<OutputCategory, number>>
  readonly bytes: number
  readonly events: Readonly<Partial<Record<CapturedEventType, number>>>
}

type Now = () => number

export interface CaptureOptions {
  readonly id: string
  readonly limits?: Partial<CaptureLimits>
  readonly now?: Now
  /** How an agent gets what was printed. Default: masked. */
  readonly show?: (text: string) => string
}

export class SessionCapture {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly startedAt: number
  readonly #limits: CaptureLimits
  readonly #now: Now
  readonly #show: (text: string) => string
  readonly #lines: EntryRing<OutputLine>
  readonly #events: EntryRing<CapturedEvent>
  readonly #exceptions: EntryRing<CapturedException>
  readonly #joiners: Record<OutputCategory, LineJoiner>
  readonly #lineTotals: Record<OutputCategory, number> = { stdout: 0, stderr: 0, console: 0 }
  readonly #eventTotals: Partial<Record<CapturedEventType, number>> = {}
  #outputBytes = 0
  #hasCutLine = false
  #seq = 0
  #endedAt: number | undefined
  #exitCode: number | null | undefined
  #signal: string | undefined
  #error: string | undefined

  constructor(session: DebugSession, options: CaptureOptions) {
    const limits = { ...DEFAULT_CAPTURE_LIMITS, ...options.limits }
    this.#limits = limits
    this.#now = options.now ?? Date.now
    this.#show = options.show ?? ((text) => maskLooks(text))
    this.id = options.id
    this.name = this.#show(session.name)
    this.language = session.language
    this.startedAt = this.#now()
    this.#lines = new EntryRing<OutputLine>({ maxEntries: limits.maxLines, maxBytes: limits.maxBytes }, sizeOfText)
    this.#events = new EntryRing<CapturedEvent>({ maxEntries: limits.maxEvents, maxBytes: limits.maxBytes }, sizeOfText)
    this.#exceptions = new EntryRing(
      { maxEntries: limits.maxExceptions, maxBytes: limits.maxBytes },
      ({ message, stack }) => ENTRY_OVERHEAD + 2 * (message.length + stack.reduce((sum, line) => sum + line.length, 0)),
    )
    const { maxLineLength } = limits
    this.#joiners = {
      stdout: new LineJoiner(maxLineLength),
      stderr: new LineJoiner(maxLineLength),
      console: new LineJoiner(maxLineLength),
    }
    this.#record('started', session.name)
  }

  get endedAt(): number | undefined {
    return this.#endedAt
  }

  get isEnded(): boolean {
    return this.#endedAt !== undefined
  }

  /** Undefined: not known; null: ended by a signal. */
  get exitCode(): number | null | undefined {
    return this.#exitCode
  }

  get signal(): string | undefined {
    return this.#signal
  }

  /** Why the session ended, where it did not by itself. */
  get error(): string | undefined {
    return this.#error === undefined ? undefined : this.#readable(this.#error)
  }

  get totals(): CaptureTotals {
    return { lines: { ...this.#lineTotals }, bytes: this.#outputBytes, events: { ...this.#eventTotals } }
  }

  /** What was pushed out by newer entries. */
  get dropped(): { readonly lines: number; readonly bytes: number; readonly events: number } {
    return {
      lines: this.#lines.dropped.entries,
      bytes: this.#lines.dropped.bytes,
      events: this.#events.dropped.entries,
    }
  }

  /** Not all of what was printed can be read any more. */
  get isTruncated(): boolean {
    const isCut = CATEGORIES.some((category) => (this.#joiners[category].peek()?.cut ?? 0) > 0)
    return this.#hasCutLine || isCut || this.#lines.dropped.entries > 0
  }

  /** Memory held, about. */
  get bytes(): number {
    return this.#lines.bytes + this.#events.bytes + this.#exceptions.bytes
  }

  /** Oldest first, fit to be shown, without colours; a line that is not finished yet is the last one of its category. */
  lines(): OutputLine[] {
    const begun = CATEGORIES.flatMap((category) => {
      const line = this.#joiners[category].peek()
      return line === undefined ? [] : [{ seq: this.#seq, at: this.#now(), category, text: withCut(line) }]
    })
    return [...this.#lines.toArray(), ...begun].map((line) => ({ ...line, text: this.#readable(line.text) }))
  }

  events(): CapturedEvent[] {
    return this.#events.toArray().map((event) => ({ ...event, text: this.#readable(event.text) }))
  }

  exceptions(): CapturedException[] {
    return this.#exceptions.toArray().map((exception) => ({
      ...exception,
      message: this.#readable(exception.message),
      stack: exception.stack.map((line) => this.#readable(line)),
    }))
  }

  /** What happened; `session` is asked for the details of exceptions. */
  take(event: SessionEvent, session: DebugSession): void {
    switch (event.type) {
      case 'output':
        this.#takeOutput(event)
        return
      case 'stopped':
        this.#record(
          'stopped',
          event.text === undefined ? event.reason : `${event.reason}: ${event.text}`,
          event.threadId,
        )
        if (event.reason === 'exception') void this.#readException(session, event.threadId, event.text ?? '')
        return
      case 'continued':
        this.#record('continued', '', event.threadId)
        return
      case 'thread':
        this.#record('thread', event.change, event.threadId)
        return
      case 'breakpoint':
        this.#record('breakpoint', `${event.state.id} ${event.state.verified ? 'bound' : 'not bound'}`)
        return
      case 'child':
        this.#record('child', event.session.name)
        return
      case 'exited':
        this.#exitCode = event.exitCode
        this.#signal = event.signal
        this.#record('exited', event.exitCode === null ? (event.signal ?? 'by a signal') : `code ${event.exitCode}`)
        return
      case 'terminated':
        this.#finishLines()
        this.#error = event.error?.message
        this.#record('terminated', event.error?.message ?? '')
        this.#endedAt = this.#now()
    }
  }

  #readable(text: string): string {
    return this.#show(stripVTControlCharacters(text))
  }

  #takeOutput(event: SessionEvent & { type: 'output' }): void {
    const { category, text, place, breakpointId } = event
    this.#outputBytes += Buffer.byteLength(text)
    const rest = {
      ...(place === undefined ? {} : { place }),
      ...(breakpointId === undefined ? {} : { fromLogpoint: true as const }),
    }
    const joiner = this.#joiners[category]
    for (const line of joiner.add(text)) this.#keepLine(category, line, rest)
    // What a logpoint says is a line of its own, also where the engine ends it with no line break.
    if (breakpointId === undefined) return
    const last = joiner.flush()
    if (last !== undefined) this.#keepLine(category, last, rest)
  }

  #keepLine(category: OutputCategory, line: JoinedLine, rest: Partial<OutputLine> = {}): void {
    this.#lineTotals[category]++
    this.#hasCutLine ||= line.cut > 0
    this.#lines.push({ seq: this.#seq++, at: this.#now(), category, text: withCut(line), ...rest })
  }

  #finishLines(): void {
    for (const category of CATEGORIES) {
      const last = this.#joiners[category].flush()
      if (last !== undefined) this.#keepLine(category, last)
    }
  }

  #record(type: CapturedEventType, text: string, threadId?: number): void {
    this.#eventTotals[type] = (this.#eventTotals[type] ?? 0) + 1
    this.#events.push({
      seq: this.#seq++,
      at: this.#now(),
      type,
      text: text.slice(0, MAX_EVENT_TEXT),
      ...(threadId === undefined ? {} : { threadId }),
    })
  }

  /** The program may go on or end meanwhile: then what the stop itself said is all there is. */
  async #readException(session: DebugSession, threadId: number, text: string): Promise<void> {
    const seq = this.#seq
    const at = this.#now()
    const [info, frames] = await Promise.all([
      session.exceptionInfo(threadId).catch(() => undefined),
      session.stack(threadId, { start: 0, count: STACK_FRAMES }).then(
        (stack) => stack.frames,
        () => [],
      ),
    ])
    const { type, message }: Pick<ExceptionInfo, 'type' | 'message'> = info ?? { type: 'exception', message: text }
    this.#exceptions.push({
      seq,
      at,
      type,
      message: message.slice(0, this.#limits.maxLineLength),
      ...(info?.isUncaught === undefined ? {} : { isUncaught: info.isUncaught }),
      stack: frames.map(({ name, place }) => (place === undefined ? name : `${name} (${place.path}:${place.line})`)),
    })
    this.#record('exception', `${type}: ${message}`, threadId)
  }
}

function sizeOfText({ text }: { readonly text: string }): number {
  return ENTRY_OVERHEAD + 2 * text.length
}

function withCut({ text, cut }: JoinedLine): string {
  return cut === 0 ? text : `${text}… [${cut} characters cut]`
}
