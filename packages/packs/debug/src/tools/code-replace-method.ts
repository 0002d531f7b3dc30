import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { CodeReplaceMethodData, CodeReplaceMethodParams } from '../generated/types.ts'
import { askWindow, readSymbol } from '../tool-steps/ask-window.ts'

export async function run(
  params: CodeReplaceMethodParams,
  context: DebugContext,
): Promise<ToolOutcome<CodeReplaceMethodData>> {
  const { replacement, dryRun } = params
  const named = readSymbol(context, params)
  const found = await askWindow(context, 'code.replace-method', { ...named, replacement, dryRun })
  const data = {
    applied: found.applied === true,
    symbol: String(found.symbol),
    path: pathsOf(context).show(named.path),
    startLine: Number(found.startLine),
    endLine: Number(found.endLine),
    before: String(found.before),
  }
  const { applied, symbol, path, startLine, endLine, before } = data
  const what = applied ? (replacement === '' ? 'deleted' : 'replaced') : 'would be replaced, nothing is changed'
  return { data, text: `${symbol} in ${path}, lines ${startLine}-${endLine}: ${what}. It was:\n${before}` }
}
