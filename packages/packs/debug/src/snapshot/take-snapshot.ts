/**
 * What an agent is told of every stop, in one answer. Each part is read under a budget of its own; an engine that does not
 * answer in time costs that part, not the answer.
 */
import { statSync } from 'node:fs'
import { errorMessage } from '@switchboard/base'
import { MASK } from '@switchboard/telemetry'
import type { DebugDesk, WaitOutcome } from '../desk/debug-desk.ts'
import type { ManagedSession, Stop } from '../desk/managed-session.ts'
import type { EngineRequestOptions, ExceptionInfo, Frame } from '../engine/debug-session.ts'
import type {
  EndedSnapshot,
  ShownFrame,
  ShownLocal,
  Snapshot,
  SourceLine,
  StoppedSnapshot,
} from '../generated/types.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { findBreakpointNotes, listConditions, listNotHit, listUnbound, takeFailures } from './breakpoint-notes.ts'
import type { LocalChange } from './locals-memory.ts'
import type { KnownSecrets, Masking } from './masking.ts'
import { type Local, readLocals } from './read-locals.ts'
import { readSourceLines } from './read-source-lines.ts'
import { formatCut, showText, showValue } from './show-value.ts'
import { describePlace } from './syntax-error.ts'

export interface SnapshotOptions {
  readonly signal: AbortSignal
  readonly masking: Masking
}

const MAX_FRAMES = 50
const SHOWN_FRAMES = 5
const MAX_LOCALS = 60
const MAX_VALUE = 200
const MAX_OUTPUT = 1_000
/** A snapshot is never what makes a call hang: neither one part of it, nor all. */
const PART_MS = 2_500
const TOTAL_MS = 3_500

export async function takeSnapshot(desk: DebugDesk, outcome: WaitOutcome, options: SnapshotOptions): Promise<Snapshot> {
  switch (outcome.kind) {
    case 'stopped':
      return takeStopped(desk, outcome.session, outcome.stop, options)
    case 'ended':
      return takeEnded(desk, outcome.session, options)
    case 'running':
      return {
        event: 'running',
        ...(outcome.session === undefined ? {} : { sessionId: outcome.session.id }),
        waitedMs: outcome.waitedMs,
        ...(outcome.session === undefined
          ? {}
          : { ...listUnbound(desk, outcome.session), ...takeOutput(desk, outcome.session, options) }),
        next: ['debug_wait_for_hit', 'debug_pause', 'debug_stop'],
      }
  }
}

async function takeStopped(
  desk: DebugDesk,
  managed: ManagedSession,
  stop: Stop,
  options: SnapshotOptions,
): Promise<StoppedSnapshot> {
  const { session, paths } = managed
  const { signal, masking } = options
  const request: EngineRequestOptions = { signal, timeout: PART_MS }
  const problems: string[] = []
  const deadline = createDeadline(TOTAL_MS)
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await Promise.race([read(), deadline])
    } catch (error) {
      signal.throwIfAborted()
      problems.push(`${what}: ${errorMessage(error)}`)
      return undefined
    }
  }
  const isException = stop.reason.includes('exception')
  const asked = isException ? attempt('exception', () => session.exceptionInfo(stop.threadId)) : undefined
  // Cancelled, the stack may throw first.
  asked?.catch(() => undefined)
  const stack = await attempt('stack', () => session.stack(stop.threadId, { start: 0, count: MAX_FRAMES }, request))
  const frames = stack?.frames ?? []
  const shown = chooseFrame(frames, stop)
  const isOwn = shown !== undefined && (shown.isUser || !isAnywhere(stop))
  const locals = isOwn
    ? ((await attempt('locals', () => readLocals(session, shown.id, MAX_LOCALS + 1, request))) ?? [])
    : []
  const exception = await asked
  const memoryKey = shown === undefined ? '' : frameKey(stop.threadId, shown, frames, stack?.total)
  if (shown !== undefined) managed.shown = { stop, frameId: shown.id, memoryKey }
  const wrong = exception?.place
  // Of a text that cannot be compiled nothing is on the stack: then the text is what there is to see.
  const place = isOwn || wrong === undefined ? shown?.place : wrong
  const notes = [
    ...(shown === undefined
      ? []
      : ((await attempt('condition', () => findBreakpointNotes(desk, managed, stop, shown.id, request))) ?? [])),
    ...(place !== undefined && wasChangedSince(place.path, managed.startedAt)
      ? [
          `${paths.show(place.path)} was changed after the program had started: lines may not fit; debug_start runs it anew`,
        ]
      : []),
    ...takeFailures(desk, managed),
  ]
  managed.secrets.learn(masking, locals)
  const changes = shown === undefined ? new Map<string, LocalChange>() : managed.memory.compare(memoryKey, locals)
  const others = chooseCallers(frames, shown).slice(0, SHOWN_FRAMES - 1)
  return {
    event: 'stopped',
    sessionId: managed.id,
    threadId: stop.threadId,
    reason: stop.reason,
    ...(stop.text === undefined || stop.text === '' ? {} : { text: showText(stop.text, { paths, masking }) }),
    ...(stop.breakpointIds.length === 0 ? {} : { breakpoints: stop.breakpointIds }),
    ...(place === undefined
      ? {}
      : {
          path: paths.show(place.path),
          line: place.line,
          ...(place.column === undefined ? {} : { column: place.column }),
        }),
    ...(shown === undefined ? {} : { ...(place === shown.place ? { function: shown.name } : {}), frameId: shown.id }),
    source: place === undefined ? [] : showSource(readSourceLines(place.path, place.line), masking),
    frames: others.map((frame) => showFrame(frame, managed)),
    locals: locals
      .slice(0, MAX_LOCALS)
      .map((local) => showLocal(local, changes.get(local.name), managed.secrets, masking)),
    ...(locals.length > MAX_LOCALS ? { moreLocals: true } : {}),
    ...(exception === undefined
      ? {}
      : {
          exception: {
            type: exception.type,
            message: showException(exception, { paths, masking }),
          },
        }),
    ...(isAnywhere(stop) ? listUnbound(desk, managed) : {}),
    ...takeOutput(desk, managed, options),
    ...(notes.length === 0
      ? {}
      : { notes: notes.map((note) => showText(note, { paths, masking, said: listConditions(desk, managed) })) }),
    ...(problems.length === 0 ? {} : { problems }),
    next: isException
      ? ['debug_evaluate', 'debug_stack', 'debug_continue', 'debug_stop']
      : ['debug_step_over', 'debug_step_into', 'debug_continue', 'debug_evaluate', 'debug_stop'],
  }
}

function showException(
  { message, place }: ExceptionInfo,
  options: { paths: WorkspacePaths; masking: Masking },
): string {
  const shown = showText(message, options).slice(0, MAX_OUTPUT)
  return place === undefined ? shown : `${shown}\n${options.masking.text(describePlace(place, options.paths))}`
}

function showSource(lines: SourceLine[], masking: Masking): SourceLine[] {
  return lines.map(({ line, text }) => ({ line, text: masking.text(text) }))
}

function wasChangedSince(path: string, time: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > time
}

/** Rejects; nobody has to wait for it. */
function createDeadline(ms: number): Promise<never> {
  const deadline = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`the debugger did not answer within ${ms} ms`)), ms).unref()
  })
  deadline.catch(() => undefined)
  return deadline
}

/** It may be in the runtime itself, whose variables tell nobody anything. */
function isAnywhere({ reason }: Stop): boolean {
  return /exception|pause|function/.test(reason)
}

/** Where a program was paused or has thrown is often deep in a library: then the person's own frame tells more. */
function chooseFrame(frames: readonly Frame[], stop: Stop): Frame | undefined {
  const [top] = frames
  if (top === undefined || top.isUser || !isAnywhere(stop)) return top
  return frames.find(({ isUser }) => isUser) ?? top
}

/** Of the person's code; of a library that somebody looks into, who called it there. */
function chooseCallers(frames: readonly Frame[], shown: Frame | undefined): readonly Frame[] {
  if (shown === undefined || shown.isUser) return frames.filter((frame) => frame !== shown && frame.isUser)
  return frames.slice(frames.indexOf(shown) + 1).filter(({ place }) => place !== undefined)
}

function takeEnded(desk: DebugDesk, managed: ManagedSession, options: SnapshotOptions): EndedSnapshot {
  const { exitCode, signal, error } = managed.ending ?? {}
  return {
    event: 'terminated',
    sessionId: managed.id,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(error === undefined ? {} : { error: showText(error.message, { ...options, paths: managed.paths }) }),
    ...listUnbound(desk, managed),
    ...listNotHit(desk, managed),
    ...showFailures(desk, managed, options),
    ...takeOutput(desk, managed, options),
    next: ['debug_start'],
  }
}

function showFailures(desk: DebugDesk, managed: ManagedSession, { masking }: SnapshotOptions): { notes?: string[] } {
  const notes = takeFailures(desk, managed)
  const said = listConditions(desk, managed)
  return notes.length === 0
    ? {}
    : { notes: notes.map((note) => showText(note, { paths: managed.paths, masking, said })) }
}

/** Of the whole tree: what a child prints is the program's as well. */
function takeOutput(
  desk: DebugDesk,
  managed: ManagedSession,
  { masking }: SnapshotOptions,
): { output?: string; droppedOutput?: number } {
  const taken = desk.treeOf(managed).map(({ output }) => output.take())
  const text = showText(taken.map((part) => part.text).join(''), { masking, paths: managed.paths })
  const dropped = taken.reduce((sum, part) => sum + part.dropped, 0) + Math.max(0, text.length - MAX_OUTPUT)
  if (text === '') return {}
  return { output: text.slice(-MAX_OUTPUT), ...(dropped === 0 ? {} : { droppedOutput: dropped }) }
}

export function showFrame({ id, name, place }: Frame, { paths }: Pick<ManagedSession, 'paths'>): ShownFrame {
  return {
    frameId: id,
    name,
    ...(place === undefined ? {} : { path: paths.show(place.path), line: place.line }),
  }
}

function showLocal(
  local: Local,
  change: LocalChange | undefined,
  secrets: Pick<KnownSecrets, 'has'>,
  masking: Masking,
): ShownLocal {
  const { name, type, reference } = local
  const value = secrets.has(local.value) ? MASK : local.value
  const options = { maxLength: MAX_VALUE, masking }
  const shown = showValue(name, value, options)
  return {
    name,
    value: formatCut(shown),
    ...(type === undefined || type === '' ? {} : { type }),
    // A secret is not to be had in pieces either.
    ...(reference === 0 || shown.text === MASK ? {} : { ref: reference }),
    ...(change === undefined ? {} : { change: change.change }),
    ...(change?.from === undefined ? {} : { from: formatCut(showValue(name, change.from, options)) }),
  }
}

/** Recursion has the same function at many depths, and each has its own locals. */
function frameKey(threadId: number, frame: Frame, frames: readonly Frame[], total = frames.length): string {
  return [threadId, frame.name, frame.place?.path ?? '', total - frames.indexOf(frame)].join('\n')
}
