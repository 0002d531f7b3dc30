/** What an agent can know of the editor, and do in it. */
import { BridgeError, type BridgeScript } from '@switchboard/bridge'
import * as vscode from 'vscode'
import { listSymbols, openDocument } from './find-symbol.ts'

const MAX_SELECTED = 4_000

export const getContext: BridgeScript = async () => {
  const editor = vscode.window.activeTextEditor
  if (editor === undefined) return { path: null }
  const { document, selection } = editor
  // A language without symbols still has a cursor.
  const symbols = await listSymbols(document, { isPatient: false }).catch(() => [])
  const around = symbols.filter(({ range }) => range.contains(selection.active))
  const text = document.getText(selection)
  return {
    path: document.uri.scheme === 'file' ? document.uri.fsPath : document.uri.toString(),
    language: document.languageId,
    line: selection.active.line + 1,
    column: selection.active.character + 1,
    unsaved: document.isDirty,
    ...(selection.isEmpty
      ? {}
      : {
          selection: {
            startLine: selection.start.line + 1,
            endLine: selection.end.line + 1,
            text: text.slice(0, MAX_SELECTED),
          },
        }),
    ...(around.length === 0 ? {} : { inside: around.at(-1)?.name }),
    symbols: symbols.length,
  }
}

export const gotoLine: BridgeScript = async ({ path, line, column }, signal) => {
  const document = await openDocument(String(path))
  const wanted = Number(line)
  if (wanted > document.lineCount) {
    throw new BridgeError('E_INVALID_LINE', `That file has ${document.lineCount} lines, not ${wanted}`)
  }
  // Nobody's cursor is moved for an agent that has given up.
  signal.throwIfAborted()
  const position = document.validatePosition(new vscode.Position(wanted - 1, Number(column) - 1))
  const editor = await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) })
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport)
  const { active } = editor.selection
  return { path, line: active.line + 1, column: active.character + 1, text: document.lineAt(active.line).text }
}

export const showTestingUi: BridgeScript = async () => {
  await vscode.commands.executeCommand('workbench.view.testing.focus')
  return { shown: true }
}

/** After the answer has left: nobody is there to give it afterwards. */
export const restartWindow: BridgeScript = async () => {
  setTimeout(() => void vscode.commands.executeCommand('workbench.action.reloadWindow'), 200)
  return { restarting: true }
}
