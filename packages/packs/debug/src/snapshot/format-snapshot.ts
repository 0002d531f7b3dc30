/** A snapshot as a model reads it: every byte of it is read at every stop. */
import type { EndedSnapshot, RunningSnapshot, ShownLocal, Snapshot, StoppedSnapshot } from '../generated/types.ts'
import { toOneLine } from './show-value.ts'

const MAX_VALUE = 60
const MAX_LOCALS_BYTES = 400
const MAX_FRAMES = 3
const MAX_OUTPUT = 300
const MAX_MESSAGE = 600
const UNINITIALIZED = '<uninitialized>'
const MAX_UNINITIALIZED = 3

export function formatSnapshot(snapshot: Snapshot, { hints = false }: { hints?: boolean } = {}): string {
  switch (snapshot.event) {
    case 'stopped':
      return formatStopped(snapshot, hints)
    case 'terminated':
      return [
        `ended${describeEnd(snapshot)} (${snapshot.sessionId})`,
        ...formatUnbound(snapshot),
        ...formatNotHit(snapshot),
        ...formatNotes(snapshot),
        ...formatOutput(snapshot),
      ].join('\n')
    case 'running':
      return [formatRunning(snapshot), ...formatUnbound(snapshot), ...formatOutput(snapshot)].join('\n')
  }
}

function formatStopped(snapshot: StoppedSnapshot, hints: boolean): string {
  const { path, line, exception, source, frames, problems = [] } = snapshot
  const where = path === undefined ? 'somewhere without source' : `${path}:${line}`
  const head = `${describeReason(snapshot)} ${where}${snapshot.function ? ` in ${snapshot.function}` : ''} (${snapshot.sessionId})`
  const width = String(source.at(-1)?.line ?? '').length
  return [
    head,
    ...(exception === undefined ? [] : [`${exception.type}: ${formatMessage(exception.message)}`]),
    ...source.map((entry) =>
      `${entry.line === line ? '>' : ' '}${String(entry.line).padStart(width)} ${entry.text}`.trimEnd(),
    ),
    ...(path === undefined && frames.length === 0 ? ['no code of the workspace is on the stack'] : []),
    ...formatLocals(snapshot),
    ...formatFrames(snapshot),
    ...formatUnbound(snapshot),
    ...formatOutput(snapshot),
    ...formatNotes(snapshot),
    ...problems.map((problem) => `not read: ${toOneLine(problem).slice(0, MAX_OUTPUT)}`),
    ...(hints ? [`next: ${snapshot.next.join(', ')}`] : []),
  ].join('\n')
}

/** Lines tell what one line does not: what differs in an assertion, the caret under what is wrong. */
function formatMessage(message: string): string {
  const lines = message.split(/\r\n|\n|\r/).map(toOneLine)
  const text = lines.map((line) => line.trimEnd()).join('\n')
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text
}

function describeReason({ reason, breakpoints = [] }: StoppedSnapshot): string {
  const named = breakpoints.filter((id) => !id.startsWith('until-'))
  if (named.length > 0) return `breakpoint ${named.join(',')}`
  return breakpoints.length > 0 ? 'reached' : reason
}

/** What changed comes first: that is what a step was made for. */
function formatLocals({ locals, moreLocals = false }: StoppedSnapshot): string[] {
  const begun = locals.filter(({ value }) => value !== UNINITIALIZED)
  const ordered = [
    ...begun.filter(({ change }) => change !== undefined),
    ...begun.filter((local) => !local.change),
    ...locals.filter(({ value }) => value === UNINITIALIZED).slice(0, MAX_UNINITIALIZED),
  ]
  const shown: string[] = []
  let bytes = 0
  for (const local of ordered) {
    const text = formatLocal(local)
    bytes += Buffer.byteLength(text) + 2
    if (bytes > MAX_LOCALS_BYTES && shown.length > 0) break
    shown.push(text)
  }
  if (shown.length === 0) return []
  const left = locals.length - shown.length
  const more = left > 0 || moreLocals ? `; … ${moreLocals ? `over ${left}` : left} more: variable_list` : ''
  return [shown.join('; ') + more]
}

function formatLocal({ name, value, ref, change, from }: ShownLocal): string {
  const isCut = value.length > MAX_VALUE
  const short = isCut ? shorten(value) : value
  const handle = ref !== undefined && (isCut || /…/.test(short)) ? ` ref=${ref}` : ''
  if (change === 'new') return `+${name}=${short}${handle}`
  if (change === 'changed') return `${name}=${short}${handle} (was ${from === undefined ? '?' : shorten(from, 24)})`
  return `${name}=${short}${handle}`
}

function shorten(value: string, max = MAX_VALUE): string {
  if (value.length <= max) return value
  const known = /…\(\+(\d+)\)$/.exec(value)
  const whole = known === null ? value.length : value.length - known[0].length + Number(known[1])
  return `${value.slice(0, max)}…(+${whole - max})`
}

function formatFrames({ frames }: StoppedSnapshot): string[] {
  if (frames.length === 0) return []
  const shown = frames.slice(0, MAX_FRAMES).map(({ name, path, line }) => `${name} ${path ?? '?'}:${line ?? '?'}`)
  return [`from ${shown.join(' < ')}${frames.length > MAX_FRAMES ? ' < …' : ''}`]
}

function formatUnbound({ unbound = [] }: Pick<EndedSnapshot, 'unbound'>): string[] {
  return unbound.map((breakpoint) => `not bound: ${toOneLine(breakpoint).slice(0, MAX_OUTPUT)}`)
}

function formatNotes({ notes = [] }: Pick<EndedSnapshot, 'notes'>): string[] {
  return notes.map((note) => `note: ${toOneLine(note).slice(0, MAX_OUTPUT)}`)
}

function formatNotHit({ notHit = [] }: EndedSnapshot): string[] {
  if (notHit.length === 0) return []
  return [
    `not hit (not reached, not loaded, or its condition never held): ${notHit.map(toOneLine).join('; ').slice(0, MAX_OUTPUT)}`,
  ]
}

function formatOutput({ output, droppedOutput = 0 }: Pick<EndedSnapshot, 'output' | 'droppedOutput'>): string[] {
  if (output === undefined || output.trim() === '') return []
  const text = output.trimEnd()
  const cut = Math.max(0, text.length - MAX_OUTPUT) + droppedOutput
  return [`out: ${cut > 0 ? `(${cut} before)…` : ''}${text.slice(-MAX_OUTPUT)}`]
}

function describeEnd({ exitCode, signal, error }: EndedSnapshot): string {
  if (error !== undefined) return `: ${error}`
  if (signal !== undefined) return ` by ${signal}`
  return typeof exitCode === 'number' ? `: exit code ${exitCode}` : ''
}

function formatRunning({ sessionId, waitedMs, next }: RunningSnapshot): string {
  const waited =
    waitedMs < 1 ? '' : ` after ${waitedMs < 1_000 ? `${waitedMs} ms` : `${Math.round(waitedMs / 100) / 10} s`}`
  return `still running${waited}${sessionId === undefined ? '' : ` (${sessionId})`}; next: ${next.join(', ')}`
}
