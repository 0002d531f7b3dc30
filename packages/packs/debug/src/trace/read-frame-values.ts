import type { DebugSession, EngineRequestOptions } from '../engine/debug-session.ts'
import type { Masking } from '../snapshot/masking.ts'
import { readLocals } from '../snapshot/read-locals.ts'
import { formatCut, showValue } from '../snapshot/show-value.ts'

const MAX_LOCALS = 60
const MAX_VALUE = 60

export interface FrameValues {
  readonly values: ReadonlyMap<string, string>
  /** What the last call returned, where the engine shows it among the variables. */
  readonly returned?: string
  /** What this frame is about to return: Ruby and Node tell it at the end of a function. */
  readonly returning?: string
}

export async function readFrameValues(
  session: DebugSession,
  frameId: number,
  options: EngineRequestOptions,
  callee = '',
): Promise<FrameValues> {
  const values = new Map<string, string>()
  const returns: { readonly of: string; readonly value: string }[] = []
  let returning: string | undefined
  for (const { name, value } of await readLocals(session, frameId, MAX_LOCALS, options)) {
    if (name === '_return' || name === '(return value)') returning = value
    else if (/^\(?return(?: value)?\b/i.test(name)) returns.push({ of: lastPart(name), value })
    else values.set(name, value)
  }
  // A line may have called several functions; where the engine names none, there is one.
  const returned = (
    returns.find((one) => one.of === lastPart(callee)) ?? (returns.length === 1 ? returns[0] : undefined)
  )?.value
  return {
    values,
    ...(returned === undefined ? {} : { returned }),
    ...(returning === undefined ? {} : { returning }),
  }
}

/** `total` of `(return) Cart.total`. */
function lastPart(name: string): string {
  return /([\w$]+)\W*$/.exec(name.slice(-64))?.[1] ?? name
}

/** On one line, cut, and masked when it looks like a secret. */
export function shortValue(name: string, value: string, masking: Masking): string {
  return formatCut(showValue(name, value, { maxLength: MAX_VALUE, masking }))
}
