import type { DebugSession, RequestOptions, Scope } from '../session/debug-session.ts'

const NEAR = new Set<Scope['kind']>(['block', 'local', 'arguments'])
const MAX_LOCALS = 60

export interface Locals {
  readonly values: ReadonlyMap<string, string>
  /** What the last call returned, where the engine shows it. */
  readonly returned?: string
}

/** Block, local and arguments in one; an inner name hides an outer one. */
export async function readLocals(session: DebugSession, frameId: number, options: RequestOptions): Promise<Locals> {
  const scopes = (await session.scopes(frameId, options)).filter(
    ({ kind, isExpensive }) => NEAR.has(kind) && !isExpensive,
  )
  const lists = await Promise.all(
    scopes.map(({ reference }) => session.variables(reference, { start: 0, count: MAX_LOCALS }, options)),
  )
  const values = new Map<string, string>()
  let returned: string | undefined
  for (const { name, value } of lists.flat()) {
    if (/^\(?return(?: value)?\b/i.test(name)) returned = value
    else if (!values.has(name)) values.set(name, value)
  }
  return { values, ...(returned === undefined ? {} : { returned }) }
}
