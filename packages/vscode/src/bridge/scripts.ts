/** Every command that the bridge of a window knows, by the name of its tool. */
import type { BridgeScript } from '@switchboard/bridge'
import { collectDiagnostics } from './diagnostic-script.ts'
import { getContext, gotoLine, restartWindow, showTestingUi } from './editor-scripts.ts'
import { listCalls, navigate, rename, replaceMethod, searchSymbols } from './symbol-scripts.ts'

export const BRIDGE_SCRIPTS: Readonly<Record<string, BridgeScript>> = {
  'editor.get-context': getContext,
  'editor.goto-line': gotoLine,
  'editor.show-testing-ui': showTestingUi,
  'util.restart-vscode': restartWindow,
  'diagnostic.collect': collectDiagnostics,
  'search.symbol-search': searchSymbols,
  'symbol.navigate': navigate,
  'symbol.calls': listCalls,
  'symbol.rename': rename,
  'code.replace-method': replaceMethod,
}
