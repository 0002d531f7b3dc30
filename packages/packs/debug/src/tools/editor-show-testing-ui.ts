import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { EditorShowTestingUiData } from '../generated/types.ts'
import { askWindow } from '../tool-steps/ask-window.ts'

export async function run(_params: object, context: DebugContext): Promise<ToolOutcome<EditorShowTestingUiData>> {
  await askWindow(context, 'editor.show-testing-ui', {})
  return {
    data: { shown: true },
    text: 'VS Code was told to open its Testing view, which makes its extensions look for tests.',
  }
}
