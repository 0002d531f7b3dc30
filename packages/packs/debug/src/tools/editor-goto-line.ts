import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { EditorGotoLineData, EditorGotoLineParams } from '../generated/types.ts'
import { askWindow } from '../tool-steps/ask-window.ts'

export async function run(
  { path, line, column }: EditorGotoLineParams,
  context: DebugContext,
): Promise<ToolOutcome<EditorGotoLineData>> {
  const paths = pathsOf(context)
  const file = paths.resolveFile(path)
  const found = await askWindow(context, 'editor.goto-line', { path: file, line, column })
  const data = {
    path: paths.show(file),
    line: Number(found.line),
    column: Number(found.column),
    text: String(found.text),
  }
  return { data, text: `${data.path}:${data.line}:${data.column}: ${data.text.trim()}` }
}
