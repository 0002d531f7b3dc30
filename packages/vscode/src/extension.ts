/** What VS Code calls. Each activation is a session of its own. */
import type * as vscode from 'vscode'
import { registerCommands } from './commands.ts'
import { readSettings } from './settings.ts'
import { offerRemoval } from './static/offer-removal.ts'
import { WindowSession } from './window-session.ts'

let session: WindowSession | undefined

/** @public for VS Code. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const started = new WindowSession(context)
  session = started
  context.subscriptions.push(registerCommands(started))
  await started.activate()
  if (!readSettings().offersRemoval) return
  // Nobody waits for an answer: it may never come.
  void started.findStaticEntries().then(
    (entries) => offerRemoval(entries, started.log),
    (error: unknown) => started.log.warn('ext.static', `static entries cannot be looked for: ${String(error)}`),
  )
}

/** @public for VS Code. */
export async function deactivate(): Promise<void> {
  const ended = session
  session = undefined
  await ended?.deactivate()
}
