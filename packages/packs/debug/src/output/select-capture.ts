/** Which captured session a tool is about, and how entries of it are shown. */
import { type Call, ownerOf } from '@switchboard/protocol'
import { type PackHost, ToolError } from '@switchboard/toolkit'
import type { Place } from '../engine/debug-session.ts'
import { WorkspacePaths } from '../workspace/workspace-paths.ts'
import type { OutputStore } from './output-store.ts'
import type { OutputLine, SessionCapture } from './session-capture.ts'

export interface OutputHost extends PackHost {
  readonly output: OutputStore
}

/** Of the caller's own sessions, oldest first. */
export function listCaptures({ output }: OutputHost, { caller }: Call): readonly SessionCapture[] {
  const owner = ownerOf(caller)
  return owner === undefined ? [] : output.list(owner)
}

/** The named session, else the newest. Throws E_NO_SESSION; `notFound` for a name that is not known. */
export function selectCapture(
  host: OutputHost,
  call: Call,
  sessionId: string | undefined,
  notFound = 'E_NO_SESSION',
): SessionCapture {
  const captures = listCaptures(host, call)
  // A restarted session has its old id again: the newest is meant.
  const found = sessionId === undefined ? captures.at(-1) : captures.findLast(({ id }) => id === sessionId)
  if (found !== undefined) return found
  if (sessionId === undefined || captures.length === 0) {
    throw new ToolError('E_NO_SESSION', 'No debug session was captured yet')
  }
  throw new ToolError(notFound, `There is no captured session "${sessionId}"`, {
    hint: `Captured sessions, oldest first: ${captures.map(({ id }) => id).join(', ')}.`,
  })
}

/** Nothing was printed. What to do depends on whether any of them still can. */
export function createSilence(code: string, captures: readonly SessionCapture[]): ToolError {
  const who = captures.map(({ id }) => id).join(', ')
  const runs = captures.some(({ isEnded }) => !isEnded)
  const said = `${captures.length === 1 ? `The session ${who}` : `Each of the sessions ${who}`} has printed nothing`
  return runs
    ? new ToolError(code, said, {
        hint: 'It may still: let it run, with debug_continue where it stands, and ask again.',
      })
    : new ToolError(code, `${said}, and has ended`, {
        hint: 'It prints no more. dap_timeline shows what it did; debug_start runs the program again.',
      })
}

export interface ShownSession {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly state: 'running' | 'ended'
  readonly exitCode?: number | null
  readonly droppedLines?: number
}

export function showSession(capture: SessionCapture): ShownSession {
  const { id, name, language, isEnded, exitCode, dropped } = capture
  return {
    id,
    name,
    language,
    state: isEnded ? 'ended' : 'running',
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(dropped.lines === 0 ? {} : { droppedLines: dropped.lines }),
  }
}

export interface ShownLine {
  readonly ts: number
  readonly relativeTime: string
  readonly category: string
  readonly text: string
  readonly source?: string
}

export function showLine(
  capture: SessionCapture,
  line: OutputLine,
  workspace: string | undefined,
  source = true,
): ShownLine {
  return {
    ts: line.at,
    relativeTime: showOffset(line.at - capture.startedAt),
    category: line.category,
    text: line.text,
    ...(source && line.place !== undefined ? { source: showPlace(line.place, workspace) } : {}),
  }
}

export function showOffset(milliseconds: number): string {
  return `+${(milliseconds / 1_000).toFixed(3)}s`
}

/** As an agent types it: relative to the workspace; of what lies outside only the name. */
function showPlace({ path, line }: Place, workspace: string | undefined): string {
  return `${showFile(path, workspace)}:${line}`
}

export function showFile(path: string, workspace: string | undefined): string {
  return workspace === undefined ? path : new WorkspacePaths(workspace).show(path)
}

/** A last line for every text that is about entries of which some are gone. */
export function noteDropped(capture: SessionCapture): string {
  const { lines } = capture.dropped
  return lines === 0 ? '' : `\n(${lines} older lines were dropped to bound memory)`
}
