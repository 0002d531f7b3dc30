import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugRunToParams } from '../generated/types.ts'
import { runOn } from '../running/resume.ts'
import type { Snapshot } from '../snapshot/take-snapshot.ts'

export function run(params: DebugRunToParams, context: DebugContext): Promise<ToolOutcome<Snapshot>> {
  const { path, line, condition, ...rest } = params
  return runOn(context, {
    ...rest,
    until: { line, ...(path === undefined ? {} : { path }), ...(condition === undefined ? {} : { condition }) },
  })
}
