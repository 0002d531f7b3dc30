/** The problems that language servers have found. */
import type { BridgeScript } from '@switchboard/bridge'
import type { JsonObject } from '@switchboard/protocol'
import * as vscode from 'vscode'
import { openDocument } from './find-symbol.ts'

/** A language server that has just been shown a file takes its time. */
const FIRST_LOOK_MS = 8_000

export const collectDiagnostics: BridgeScript = async ({ path }, signal) => {
  if (path === undefined) return { diagnostics: describeAll(vscode.languages.getDiagnostics()) }
  const document = await openDocument(String(path))
  const { uri } = document
  if (vscode.languages.getDiagnostics(uri).length === 0) {
    // Language servers look at what is shown. The cursor stays where the person has it.
    await vscode.window.showTextDocument(document, { preserveFocus: true, preview: true })
    await waitForVerdict(uri, signal)
  }
  return { diagnostics: describeAll([[uri, vscode.languages.getDiagnostics(uri)]]) }
}

/** Until somebody says something about the file, or long enough for silence to mean that it is right. */
async function waitForVerdict(uri: vscode.Uri, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, FIRST_LOOK_MS)
  const listening = vscode.languages.onDidChangeDiagnostics(() => {
    if (vscode.languages.getDiagnostics(uri).length > 0) resolve()
  })
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
  listening.dispose()
}

function describeAll(found: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[]): JsonObject[] {
  return found.flatMap(([uri, diagnostics]) =>
    diagnostics.map(({ range, severity, message, source, code }) => ({
      path: uri.fsPath,
      line: range.start.line + 1,
      column: range.start.character + 1,
      severity: (vscode.DiagnosticSeverity[severity] ?? 'error').toLowerCase(),
      message,
      ...(source === undefined ? {} : { source }),
      ...(code === undefined ? {} : { code: String(typeof code === 'object' ? code.value : code) }),
    })),
  )
}
