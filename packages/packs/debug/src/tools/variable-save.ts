import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { VariableSaveData, VariableSaveParams } from '../generated/types.ts'
import { findStopped } from '../tool-steps/resume.ts'
import { findFrame } from '../variables/find-frame.ts'
import { saveVariable } from '../variables/save-variable.ts'

export async function run(params: VariableSaveParams, context: DebugContext): Promise<ToolOutcome<VariableSaveData>> {
  const { expression } = params
  const paths = pathsOf(context)
  const file = paths.resolveForWriting(params.outputPath)
  const { session, stop } = findStopped(context, params)
  const frameId = await findFrame(context, session, stop, undefined)
  const { signal, host } = context
  const variable = await session.session.evaluate(expression, { frameId, context: params.context }, { signal })
  if (variable.reference === 0) throw new ToolError('E_NOT_EXPANDABLE', `${expression} has nothing inside`)
  const saved = await saveVariable(session.session, { ...variable, name: expression }, file, {
    ...params,
    root: paths.root,
    shown: paths.show(file),
    masking: host.masking,
    signal,
  })
  const outputPath = paths.show(file)
  const { named, indexed } = saved.counts
  return {
    data: { ...saved, outputPath },
    text: `${outputPath}: ${named + indexed} items, ${saved.bytes} bytes${saved.truncatedByLimit ? ', cut at the limit' : ''}`,
  }
}
