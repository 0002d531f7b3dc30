/**
 * Follows one call of a function line by line and tells what each line changed. Ends with the call, or with a budget: then
 * what was seen so far is the answer. It leaves the program standing where it is; the caller decides what becomes of it.
 */
import { MASK } from '@switchboard/telemetry'
import type { DebugSession, Frame } from '../engine/debug-session.ts'
import { KnownSecrets, type Masking } from '../snapshot/masking.ts'
import { readFrameValues, shortValue } from './read-frame-values.ts'
import type { SessionWatch, WatchedStop } from './session-watch.ts'

export interface TraceBudget {
  readonly signal: AbortSignal
  /** By `performance.now()`. */
  readonly deadline: number
  readonly maxSteps: number
  /** Of the text that tells the steps. */
  readonly maxBytes: number
  readonly masking: Masking
}

export interface TracedLine {
  readonly line: number
  /** As they are after the line. */
  readonly changed: Readonly<Record<string, string>>
}

export type TraceOutcome = 'returned' | 'threw' | 'ended' | 'steps' | 'bytes' | 'time'

export interface FunctionTrace {
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
  readonly steps: readonly TracedLine[]
  readonly outcome: TraceOutcome
  readonly returned?: string
  /** Of an exception. */
  readonly text?: string
}

interface Standing {
  readonly frame: Frame
  /** Callers, nearest first, as far as they were asked for. */
  readonly callers: readonly string[]
  readonly depth: number
}

const FRAMES = 60
/** A step that leads into something else comes back by stepping out; more often than this it is not coming back. */
const MAX_DETOURS = 20

export async function traceFunction(
  watch: SessionWatch,
  first: WatchedStop,
  budget: TraceBudget,
): Promise<FunctionTrace> {
  const { session, threadId } = first
  const entry = await readStanding(session, threadId, budget)
  let standing = entry
  const begin = await readFrameValues(session, entry.frame.id, { signal: budget.signal })
  let locals = begin.values
  const shorten = createShortener(budget.masking)
  const args = shorten(locals)
  const secrets = new KnownSecrets()
  const learn = (): void => secrets.learn(budget.masking, toPairs(locals))
  learn()
  const steps: TracedLine[] = []
  let bytes = JSON.stringify(args).length
  const finish = (outcome: TraceOutcome, rest: Partial<FunctionTrace> = {}): FunctionTrace => ({
    name: entry.frame.name,
    arguments: args,
    steps,
    outcome,
    ...rest,
  })

  let detours = 0
  let returning = begin.returning
  let kind: 'over' | 'out' = 'over'
  while (true) {
    if (steps.length >= budget.maxSteps) return finish('steps')
    if (bytes >= budget.maxBytes) return finish('bytes')
    await session.step(threadId, kind)
    const stop = await watch.next(budget.signal, budget.deadline - performance.now())
    const line = standing.frame.place?.line ?? 0
    if (stop.kind === 'timeout') return finish('time')
    if (stop.kind === 'ended') {
      steps.push({ line, changed: {} })
      return finish('ended')
    }
    if (stop.session !== session || stop.threadId !== threadId) {
      // Another thread or child met a breakpoint: that is not what is being followed.
      await stop.session.continue(stop.threadId)
      continue
    }
    if (stop.reason === 'exception') {
      steps.push({ line, changed: {} })
      const info = await session.exceptionInfo(threadId).catch(() => undefined)
      return finish('threw', { text: info === undefined ? stop.text : `${info.type}: ${info.message}` })
    }
    const now = await readStanding(session, threadId, budget)
    const where = compare(standing, now)
    if (where === 'deeper') {
      if (++detours > MAX_DETOURS) return finish('steps')
      kind = 'out'
      continue
    }
    kind = 'over'
    const read = await readFrameValues(session, now.frame.id, { signal: budget.signal }, entry.frame.name)
    if (where === 'left') {
      steps.push({ line, changed: {} })
      const raw = read.returned ?? returning
      const returned = raw !== undefined && secrets.has(raw) ? MASK : raw
      return finish(
        'returned',
        returned === undefined ? {} : { returned: shortValue('returned', returned, budget.masking) },
      )
    }
    returning = read.returning
    const changed = shorten(read.values, locals)
    steps.push({ line, changed })
    bytes += 8 + JSON.stringify(changed).length
    locals = read.values
    learn()
    standing = now
  }
}

async function readStanding(session: DebugSession, threadId: number, { signal }: TraceBudget): Promise<Standing> {
  const { frames, total } = await session.stack(threadId, { start: 0, count: FRAMES }, { signal })
  const [frame, ...callers] = frames
  if (frame === undefined) return { frame: { id: 0, name: '', isUser: false }, callers: [], depth: 0 }
  return { frame, callers: callers.map(identify), depth: Math.max(frames.length, total ?? 0) }
}

function identify({ name, place }: Frame): string {
  return `${name} ${place?.path ?? ''}`
}

/** After a wait the rest of an async function runs with other callers: it is the same call all the same. */
function compare(before: Standing, now: Standing): 'same' | 'deeper' | 'left' {
  if (now.depth === before.depth && identify(now.frame) === identify(before.frame)) return 'same'
  if (now.depth > before.depth) return 'deeper'
  const isCaller = identify(now.frame) === before.callers[0] || now.depth === before.depth
  return !isCaller && identify(now.frame) === identify(before.frame) ? 'same' : 'left'
}

type Values = ReadonlyMap<string, string>

function toPairs(values: Values): { readonly name: string; readonly value: string }[] {
  return [...values].map(([name, value]) => ({ name, value }))
}

/** Of what is not as before. */
function createShortener(masking: Masking): (values: Values, before?: Values) => Record<string, string> {
  return (values, before) => {
    const changed = [...values].filter(([name, value]) => before?.get(name) !== value)
    return Object.fromEntries(changed.map(([name, value]) => [name, shortValue(name, value, masking)]))
  }
}

/** On one line: `enter price(q=10) →3 base=100 →5 →7 total=70 returned`. */
export function describeTrace({ name, arguments: args, steps, outcome, returned, text }: FunctionTrace): string {
  const list = (values: Readonly<Record<string, string>>, separator: string): string =>
    Object.entries(values)
      .map(([key, value]) => `${key}=${value}`)
      .join(separator)
  const moves = steps.map(({ line, changed }) => `→${line} ${list(changed, ' ')}`.trimEnd())
  return [
    `enter ${name.replace(/\(.*/s, '')}(${list(args, ', ')})`,
    ...moves,
    describeOutcome(outcome, returned, text),
  ].join(' ')
}

function describeOutcome(outcome: TraceOutcome, returned: string | undefined, text: string | undefined): string {
  switch (outcome) {
    case 'returned':
      return returned === undefined ? 'returned' : `returned ${returned}`
    case 'threw':
      return `threw ${text ?? ''}`.trimEnd()
    case 'ended':
      return 'and the program ended'
    case 'steps':
      return '… (not complete: maxSteps reached)'
    case 'bytes':
      return '… (not complete: maxBytes reached)'
    case 'time':
      return '… (not complete: the time was over)'
  }
}
