/**
 * Values at several lines over a whole run. The first hit of a point stops, so that an expression that fails can be told:
 * engines put a logpoint's failure in its message's place, or nowhere. When all could be evaluated, the point becomes a
 * logpoint, where the engine has them, and stops no more. What is over a budget is counted, not kept.
 */
import { randomBytes } from 'node:crypto'
import { describeFailure, throwOnConditionFailure } from '../engine/condition-failure.ts'
import type { BreakpointRequest, BreakpointState, DebugSession } from '../engine/debug-session.ts'
import type { Masking } from '../snapshot/masking.ts'
import { shortValue } from './read-frame-values.ts'
import { SessionWatch, type WatchedStop } from './session-watch.ts'

export interface ProbePoint {
  /** Absolute. */
  readonly path: string
  readonly line: number
  readonly expressions: readonly string[]
  readonly condition?: string
}

export interface ProbeBudget {
  readonly signal: AbortSignal
  /** By `performance.now()`. */
  readonly deadline: number
  /** Kept for each point; all are counted. */
  readonly maxHits: number
  readonly maxBytes: number
  readonly masking: Masking
}

export interface ProbeHit {
  readonly point: number
  readonly values: readonly string[]
}

export interface PointReport {
  readonly hits: number
  readonly bound: boolean
  /** Where it really is. */
  readonly movedTo?: number
  readonly message?: string
  /** Why its condition failed, and so did not hold, at least once. */
  readonly failure?: string
}

export interface ProbeReport {
  /** In the order of the run. */
  readonly hits: readonly ProbeHit[]
  readonly points: readonly PointReport[]
  readonly outcome: 'ended' | 'time'
  readonly exitCode?: number | null
  readonly error?: string
  /** The last that the program printed. */
  readonly output: string
}

/** In no value, as nobody could know it, and plain enough for every engine. */
const SEPARATOR = ` ;;${randomBytes(8).toString('hex')};; `

/** The session is started and not running yet. It is left as it is when the time is over. */
export async function probeProgram(
  session: DebugSession,
  points: readonly ProbePoint[],
  budget: ProbeBudget,
): Promise<ProbeReport> {
  const record = new ProbeRecord(points, budget)
  const watch = new SessionWatch(session, (event) => {
    if (event.type === 'output' && event.breakpointId !== undefined) record.addText(event.breakpointId, event.text)
    if (event.type === 'breakpoint') record.setState(event.state)
    if (event.type === 'conditionFailed') record.setFailure(event.breakpointId, event.why)
  })
  try {
    for (const path of new Set(points.map((point) => point.path))) {
      const states = await session.setBreakpoints(path, toRequests(points, path, new Set()))
      for (const state of states) record.setState(state)
    }
    if (session.capabilities.exceptions.includes('none')) await session.setExceptionMode('none')
    await session.run({ signal: budget.signal })
    const quiet: QuietPoints = new Map()
    while (true) {
      const next = await watch.next(budget.signal, budget.deadline - performance.now())
      if (next.kind === 'stopped') {
        await answerStop(next, points, { record, quiet, budget })
        continue
      }
      const exitCode = next.kind === 'ended' ? next.exitCode : undefined
      const error = next.kind === 'ended' ? next.error?.message : undefined
      return {
        ...record.toReport(),
        outcome: next.kind === 'ended' ? 'ended' : 'time',
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(error === undefined ? {} : { error }),
        output: watch.tail,
      }
    }
  } finally {
    watch.dispose()
  }
}

/** The points of each session that are logpoints by now. */
type QuietPoints = Map<DebugSession, Set<number>>

function toRequests(points: readonly ProbePoint[], path: string, quiet: ReadonlySet<number>): BreakpointRequest[] {
  return points.flatMap((point, index) => {
    if (point.path !== path) return []
    const { line, condition, expressions } = point
    const logMessage = expressions.map((expression) => `{${expression}}`).join(SEPARATOR)
    return {
      id: `probe-${index}`,
      line,
      ...(condition === undefined ? {} : { condition }),
      ...(quiet.has(index) ? { logMessage } : {}),
    }
  })
}

async function answerStop(
  { session, threadId, breakpointIds }: WatchedStop,
  points: readonly ProbePoint[],
  { record, quiet, budget }: { record: ProbeRecord; quiet: QuietPoints; budget: ProbeBudget },
): Promise<void> {
  const { signal } = budget
  const { frames } = await session.stack(threadId, { start: 0, count: 1 }, { signal })
  const [frame] = frames
  const own = quiet.get(session) ?? new Set()
  quiet.set(session, own)
  for (const id of breakpointIds) {
    const index = toIndex(id)
    const point = points[index]
    if (point === undefined || frame === undefined) continue
    await throwOnConditionFailure(session, frame.id, point, { signal })
    const values: string[] = []
    let hasFailed = false
    for (const expression of point.expressions) {
      const where = { frameId: frame.id, context: 'watch' as const }
      try {
        values.push((await session.evaluate(expression, where, { signal })).value)
      } catch (error) {
        signal.throwIfAborted()
        hasFailed = true
        values.push(`<${error instanceof Error ? describeFailure(error) : String(error)}>`)
      }
    }
    record.add(id, values)
    if (hasFailed || !session.capabilities.logpoints) continue
    own.add(index)
    await session.setBreakpoints(point.path, toRequests(points, point.path, own))
  }
  await session.continue(threadId)
}

function toIndex(id: string): number {
  return Number(/^probe-(\d+)$/.exec(id)?.[1] ?? -1)
}

class ProbeRecord {
  readonly #points: readonly ProbePoint[]
  readonly #budget: ProbeBudget
  readonly #hits: ProbeHit[] = []
  readonly #counts: number[]
  readonly #states = new Map<number, BreakpointState>()
  readonly #failures = new Map<number, string>()
  #bytes = 0

  constructor(points: readonly ProbePoint[], budget: ProbeBudget) {
    this.#points = points
    this.#budget = budget
    this.#counts = points.map(() => 0)
  }

  setState(state: BreakpointState): void {
    this.#states.set(toIndex(state.id), state)
  }

  setFailure(id: string, why: string): void {
    this.#failures.set(toIndex(id), this.#budget.masking.text(why))
  }

  /** What a logpoint printed. */
  addText(id: string, text: string): void {
    const expected = this.#points[toIndex(id)]?.expressions.length ?? 1
    const parts = text.trimEnd().split(SEPARATOR)
    this.add(id, parts.length === expected ? parts : [text.trimEnd()])
  }

  add(id: string, values: readonly string[]): void {
    const index = toIndex(id)
    const point = this.#points[index]
    if (point === undefined) return
    const count = (this.#counts[index] ?? 0) + 1
    this.#counts[index] = count
    if (count > this.#budget.maxHits || this.#bytes > this.#budget.maxBytes) return
    const short = values.map((value, at) => shortValue(point.expressions[at] ?? 'value', value, this.#budget.masking))
    this.#bytes += short.reduce((sum, value) => sum + value.length + 4, 8)
    this.#hits.push({ point: index, values: short })
  }

  toReport(): Pick<ProbeReport, 'hits' | 'points'> {
    return {
      hits: this.#hits,
      points: this.#points.map(({ line: asked }, index) => {
        const hits = this.#counts[index] ?? 0
        const { verified = false, line = asked, message } = this.#states.get(index) ?? {}
        const failure = this.#failures.get(index)
        return {
          // One that was hit is bound, whatever was told at first.
          bound: hits > 0 || verified,
          hits,
          ...(line === asked ? {} : { movedTo: line }),
          ...(hits > 0 || message === undefined ? {} : { message }),
          ...(failure === undefined ? {} : { failure }),
        }
      }),
    }
  }
}
