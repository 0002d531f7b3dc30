/** What a one-call tool is to run: a test, or a program as debug_start takes it. */
import { type DebugContext, pathsOf } from '../debug-host.ts'
import { resolveStart, type StartParams } from '../launch/resolve-start.ts'
import { DebugError } from '../session/debug-error.ts'
import type { StartRequest } from '../sessions/start-request.ts'
import { resolveTest } from '../tests/resolve-test.ts'

export interface TargetParams extends Omit<StartParams, 'stopOnEntry' | 'exceptions' | 'attach'> {
  readonly test?: { readonly path: string; readonly line: number; readonly case?: string }
}

/** Undefined: the call names nothing to run. */
export async function resolveTarget(context: DebugContext, params: TargetParams): Promise<StartRequest | undefined> {
  const { test, launch, program, module } = params
  if (test !== undefined) return (await resolveTest(context, test)).request
  if (launch === undefined && program === undefined && module === undefined) return undefined
  const paths = pathsOf(context)
  const requests = await resolveStart(
    { ...params, stopOnEntry: false },
    { paths, engines: context.host.engines, env: process.env },
  )
  const [request] = requests
  if (request === undefined || requests.length > 1) {
    throw new DebugError('E_INVALID_LAUNCH', `"${launch}" starts ${requests.length} programs; name one of them`)
  }
  if (request.how.kind === 'launch') return request
  throw new DebugError('E_INVALID_LAUNCH', `"${launch}" attaches to a program; this tool runs one from its start`)
}
