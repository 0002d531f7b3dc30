/**
 * The variables a person would call local: those of the blocks, of the function and its arguments, as one list. Engines
 * give them as scopes of their own, the innermost first; the innermost of a name is the one that counts.
 */
import type { DebugSession, EngineRequestOptions, ScopeKind, Variable } from '../engine/debug-session.ts'

const LOCAL_KINDS: ReadonlySet<ScopeKind> = new Set(['block', 'local', 'arguments'])

export interface Local extends Variable {
  /** The reference of the scope that it stands in. */
  readonly scope: number
}

export async function readLocals(
  session: DebugSession,
  frameId: number,
  max: number,
  options: EngineRequestOptions,
): Promise<readonly Local[]> {
  const scopes = (await session.scopes(frameId, options)).filter(
    ({ kind, reference, isExpensive }) => LOCAL_KINDS.has(kind) && !isExpensive && reference !== 0,
  )
  const pages = await Promise.all(
    scopes.map(({ reference }) => session.variables(reference, { start: 0, count: max }, options)),
  )
  const locals = new Map<string, Local>()
  for (const [index, { reference }] of scopes.entries()) {
    for (const variable of pages[index] ?? []) {
      if (!locals.has(variable.name) && locals.size < max) locals.set(variable.name, { ...variable, scope: reference })
    }
  }
  return [...locals.values()]
}
