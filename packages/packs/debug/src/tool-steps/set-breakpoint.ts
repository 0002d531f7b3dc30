import { ToolError } from '@switchboard/toolkit'
import type { BreakpointWish, StoredBreakpoint } from '../desk/breakpoint-store.ts'
import type { DebugDesk } from '../desk/debug-desk.ts'
import { parseHitCondition } from '../engine/hit-condition.ts'
import type { ShownBreakpoint } from '../generated/types.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { checkLine } from './check-line.ts'

/** Of what is evaluated at every hit; it is searched for its braces. */
const MAX_TEXT = 10_000

export interface BreakpointParams {
  readonly path: string
  readonly line: number
  readonly condition?: string
  readonly hitCondition?: string
  readonly logMessage?: string
}

/** Throws E_FILE_NOT_FOUND, E_INVALID_LINE or E_BREAKPOINT_INVALID. No session is told of it yet. */
export function storeBreakpoint(desk: DebugDesk, paths: WorkspacePaths, wish: BreakpointParams): StoredBreakpoint {
  return desk.breakpoints.add(checkBreakpoint(paths, wish))
}

/** All or none. */
export function storeBreakpoints(
  desk: DebugDesk,
  paths: WorkspacePaths,
  wishes: readonly BreakpointParams[] = [],
): void {
  for (const wish of wishes.map((one) => checkBreakpoint(paths, one))) desk.breakpoints.add(wish)
}

function checkBreakpoint(paths: WorkspacePaths, wish: BreakpointParams): BreakpointWish {
  const path = paths.resolveFile(wish.path)
  checkLine(path, wish.line, paths)
  if (wish.hitCondition !== undefined) parseHitCondition(wish.hitCondition)
  for (const name of ['condition', 'logMessage'] as const) {
    const { length } = wish[name] ?? ''
    if (length <= MAX_TEXT) continue
    throw new ToolError(
      'E_BREAKPOINT_INVALID',
      `The ${name} has ${length} characters; at most ${MAX_TEXT} are allowed. Call a function of the program instead.`,
    )
  }
  return { ...wish, path }
}

export function showBreakpoint(desk: DebugDesk, paths: WorkspacePaths, stored: StoredBreakpoint): ShownBreakpoint {
  const states = desk.boundStates(stored.id)
  const state = states.find(({ verified }) => verified) ?? states[0]
  return {
    ...stored,
    path: paths.contains(stored.path) ? paths.show(stored.path) : stored.path,
    state: state === undefined ? 'pending' : state.verified ? 'bound' : 'unbound',
    ...(state?.line === undefined || state.line === stored.line ? {} : { movedTo: state.line }),
    ...(state?.message === undefined || state.verified ? {} : { message: state.message }),
  }
}

export function formatBreakpoint({ id, path, line, state, movedTo, message, ...rest }: ShownBreakpoint): string {
  const conditions = [
    rest.condition === undefined ? '' : ` if ${rest.condition}`,
    rest.hitCondition === undefined ? '' : ` hits ${rest.hitCondition}`,
    rest.logMessage === undefined ? '' : ` logs "${rest.logMessage}"`,
  ].join('')
  const moved = movedTo === undefined ? '' : `, moved to line ${movedTo}`
  return `${id} ${path}:${line}${conditions} ${state}${moved}${message === undefined ? '' : `: ${message}`}`
}
