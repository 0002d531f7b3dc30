import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { DebugRunToData, DebugRunToParams } from '../generated/types.ts'
import { runOn } from '../tool-steps/resume.ts'

export function run(params: DebugRunToParams, context: DebugContext): Promise<ToolOutcome<DebugRunToData>> {
  const { path, line, condition, ...rest } = params
  return runOn(context, {
    ...rest,
    until: { line, ...(path === undefined ? {} : { path }), ...(condition === undefined ? {} : { condition }) },
  })
}
