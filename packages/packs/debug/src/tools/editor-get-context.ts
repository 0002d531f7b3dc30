import { isJsonObject } from '@switchboard/protocol'
import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { EditorGetContextData } from '../generated/types.ts'
import { askWindow } from '../tool-steps/ask-window.ts'

export async function run(_params: object, context: DebugContext): Promise<ToolOutcome<EditorGetContextData>> {
  const found = await askWindow(context, 'editor.get-context', {})
  if (typeof found.path !== 'string') return { data: { path: null }, text: 'No file is open in the editor.' }
  // What the extension answers has the shape that the tool declares.
  const data = { ...found, path: pathsOf(context).show(found.path) } as EditorGetContextData
  const { path, line, column, inside, unsaved } = data
  const selected = isJsonObject(data.selection) ? data.selection : undefined
  return {
    data,
    text: [
      `${path}:${line}:${column}${inside === undefined ? '' : ` in ${inside}`}${unsaved === true ? ' (unsaved changes)' : ''}`,
      ...(selected === undefined
        ? []
        : [`selected, lines ${selected.startLine}-${selected.endLine}:`, String(selected.text)]),
    ].join('\n'),
  }
}
