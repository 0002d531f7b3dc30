import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { UtilRestartVscodeData } from '../generated/types.ts'
import { askWindow } from '../tool-steps/ask-window.ts'

export async function run(_params: object, context: DebugContext): Promise<ToolOutcome<UtilRestartVscodeData>> {
  await askWindow(context, 'util.restart-vscode', {})
  return {
    data: { restarting: true },
    text: 'The window reloads now. It has another id afterwards, and its agent has to start this server again.',
  }
}
