/** What there is to say about breakpoints when a program stops or ends: without it an agent would guess. */
import { type DebugDesk, rootOf } from '../desk/debug-desk.ts'
import type { ManagedSession, Stop } from '../desk/managed-session.ts'
import { findConditionFailure } from '../engine/condition-failure.ts'
import type { EngineRequestOptions } from '../engine/debug-session.ts'

const MAX_UNBOUND = 5

/** A breakpoint that was moved, and a condition that could not be evaluated: it did not stop because that held. */
export async function findBreakpointNotes(
  desk: DebugDesk,
  managed: ManagedSession,
  { breakpointIds }: Stop,
  frameId: number,
  request: EngineRequestOptions,
): Promise<string[]> {
  const { session, bound } = managed
  const notes: string[] = []
  for (const { id, line, condition } of breakpointIds.flatMap((id) => find(id) ?? [])) {
    const moved = bound.get(id)?.line ?? line
    if (moved !== line) notes.push(`${id} was set on line ${line}, which has no code`)
    if (condition === undefined) continue
    const why = await findConditionFailure(session, frameId, condition, request)
    if (why === undefined) continue
    notes.push(`the condition ${id.startsWith('until-') ? `"${condition}"` : `of ${id}`} fails: ${why}`)
  }
  return notes

  function find(id: string): { id: string; line: number; condition?: string } | undefined {
    const target = rootOf(managed).cleared.get(id)
    return target === undefined ? desk.breakpoints.get(id) : { ...target, id }
  }
}

/** Conditions that have failed since the last answer, and so did not hold. Told once. */
export function takeFailures(desk: DebugDesk, managed: ManagedSession): string[] {
  return desk.treeOf(managed).flatMap(({ failures, paths }) => {
    const told = [...failures].map(([id, why]) => {
      const { path, line, condition } = desk.breakpoints.get(id) ?? rootOf(managed).temporary.get(id) ?? {}
      const where = path === undefined ? '' : ` at ${paths.show(path)}:${line}`
      const what = id.startsWith('until-') ? `"${condition ?? ''}"` : `of ${id}`
      return `the condition ${what} failed${where}, and so did not hold: ${why}`
    })
    failures.clear()
    return told
  })
}

/** What the agent has written; it may be told in a note. */
export function listConditions(desk: DebugDesk, managed: ManagedSession): string[] {
  return [...desk.breakpoints.list(), ...rootOf(managed).cleared.values()].flatMap(({ condition }) => condition ?? [])
}

/** Those that no process of the program has bound. */
export function listUnbound(desk: DebugDesk, managed: ManagedSession): { unbound?: readonly string[] } {
  const tree = desk.treeOf(managed)
  const unbound = desk.breakpoints.list().flatMap(({ id, path, line }) => {
    const states = tree.flatMap(({ bound }) => bound.get(id) ?? [])
    if (states.length === 0 || states.some(({ verified }) => verified)) return []
    const why = states.find(({ message }) => message !== undefined)?.message
    return [`${id} ${managed.paths.show(path)}:${line}${why === undefined ? '' : `: ${why}`}`]
  })
  return unbound.length === 0 ? {} : { unbound: unbound.slice(0, MAX_UNBOUND) }
}

/** A program that ends without having stopped is what nobody expected who set a breakpoint. */
export function listNotHit(desk: DebugDesk, managed: ManagedSession): { notHit?: readonly string[] } {
  const failed = new Set(desk.treeOf(managed).flatMap(({ failures }) => [...failures.keys()]))
  const tree = desk.treeOf(managed)
  if (tree.some(({ hits }) => hits.size > 0)) return {}
  const notHit = desk.breakpoints.list().flatMap(({ id, path, line, condition, logMessage }) => {
    if (logMessage !== undefined || failed.has(id) || !tree.some(({ bound }) => bound.get(id)?.verified === true))
      return []
    return [`${id} ${managed.paths.show(path)}:${line}${condition === undefined ? '' : ` if ${condition}`}`]
  })
  return notHit.length === 0 ? {} : { notHit: notHit.slice(0, MAX_UNBOUND) }
}
