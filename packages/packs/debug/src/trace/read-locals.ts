import type { DebugSession, RequestOptions } from '../session/debug-session.ts'
import { readLocals } from '../snapshot/read-locals.ts'
import { formatCut, showValue } from '../snapshot/show-value.ts'

const MAX_LOCALS = 60
const MAX_VALUE = 60

export interface FrameValues {
  readonly values: ReadonlyMap<string, string>
  /** What the last call returned, where the engine shows it among the variables. */
  readonly returned?: string
  /** What this frame is about to return: Ruby tells it at the end of a method. */
  readonly returning?: string
}

export async function readFrameValues(
  session: DebugSession,
  frameId: number,
  options: RequestOptions,
): Promise<FrameValues> {
  const values = new Map<string, string>()
  let returned: string | undefined
  let returning: string | undefined
  for (const { name, value } of await readLocals(session, frameId, MAX_LOCALS, options)) {
    if (name === '_return') returning = value
    else if (/^\(?return(?: value)?\b/i.test(name)) returned = value
    else values.set(name, value)
  }
  return {
    values,
    ...(returned === undefined ? {} : { returned }),
    ...(returning === undefined ? {} : { returning }),
  }
}

/** On one line, cut, and masked when it looks like a secret. */
export function shortValue(name: string, value: string, showSecrets: boolean): string {
  return formatCut(showValue(name, value, { maxLength: MAX_VALUE, showSecrets }))
}
