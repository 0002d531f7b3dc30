import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { DiagnosticCollectData, DiagnosticCollectParams } from '../generated/types.ts'
import { askWindow, showPlaces } from '../tool-steps/ask-window.ts'

type Diagnostic = DiagnosticCollectData['diagnostics'][number]

export async function run(
  { path }: DiagnosticCollectParams,
  context: DebugContext,
): Promise<ToolOutcome<DiagnosticCollectData>> {
  const params = path === undefined ? {} : { path: pathsOf(context).resolveFile(path) }
  const found = await askWindow(context, 'diagnostic.collect', params)
  const diagnostics = showPlaces<Diagnostic>(context, found.diagnostics)
  const lines = diagnostics.map(
    ({ path: file, line, column, severity, message, source, code }) =>
      `${file}:${line}:${column} ${severity}: ${message}${source === undefined ? '' : ` (${source}${code === undefined ? '' : ` ${code}`})`}`,
  )
  return {
    data: { diagnostics, total: diagnostics.length },
    text:
      lines.length === 0
        ? 'No problems are known. A language server that has just started may still find some: call again.'
        : lines.join('\n'),
  }
}
