/** What a one-call tool is to run: a test, or a program as debug_start takes it. */
import type { DebugContext } from '../debug-host.ts'
import type { StartRequest } from '../desk/start-request.ts'
import { createResolveContext, resolveStart } from '../launch/resolve-start.ts'
import { resolveTest } from '../single-test/resolve-test.ts'
import { type BackendName, findWindow } from '../window/choose-backend.ts'

export interface TargetParams {
  readonly program?: string
  readonly test?: { readonly path: string; readonly line: number; readonly case?: string }
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly language?: string
  readonly backend?: BackendName
}

/** Undefined: the call names nothing to run. */
export async function resolveTarget(context: DebugContext, params: TargetParams): Promise<StartRequest | undefined> {
  const { test, program, args, env, stdin, language, backend } = params
  if (test === undefined && program === undefined) return undefined
  const window = await findWindow(context, backend)
  if (test !== undefined) return (await resolveTest(context, test, window)).request
  if (program === undefined) return undefined
  const [request] = await resolveStart(
    {
      stopOnEntry: false,
      program,
      ...(args === undefined ? {} : { args }),
      ...(env === undefined ? {} : { env }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(language === undefined ? {} : { language }),
    },
    createResolveContext(context, window),
  )
  return request
}
