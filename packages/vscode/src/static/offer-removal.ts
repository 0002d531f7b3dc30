/** Asks a person whether static entries shall go. Nothing is removed unasked, and the text before is kept beside each file. */
import { errorMessage } from '@switchboard/base'
import { EntryRemover, type StaticEntry } from '@switchboard/cli/static-entries'
import type { Logger } from '@switchboard/telemetry'
import * as vscode from 'vscode'
import { SECTION } from '../settings.ts'

const REMOVE = 'Remove'
const SHOW = 'Show'
const NEVER = 'Do Not Ask Again'

export async function offerRemoval(entries: readonly StaticEntry[], log: Logger): Promise<void> {
  const [first] = entries
  if (first === undefined) return
  const names = entries.map(({ name, file }) => `"${name}" in ${vscode.workspace.asRelativePath(file)}`).join(', ')
  const text = `${names} ${entries.length === 1 ? 'leads' : 'lead'} to Switchboard a second time: its tools are there twice, and calls that way belong to no window and no mode.`
  log.warn('ext.static', 'static entries lead to Switchboard a second time', { entries: entries.map(describe) })
  const answer = await vscode.window.showWarningMessage(text, REMOVE, SHOW, NEVER)
  if (answer === SHOW) await vscode.window.showTextDocument(vscode.Uri.file(first.file))
  if (answer === NEVER) {
    const section = vscode.workspace.getConfiguration(SECTION)
    await section.update('offerToRemoveStaticEntries', false, vscode.ConfigurationTarget.Global)
  }
  if (answer === REMOVE) await removeEntries(entries, log)
}

async function removeEntries(entries: readonly StaticEntry[], log: Logger): Promise<void> {
  const remover = new EntryRemover(Date.now())
  const backups = new Set<string>()
  for (const entry of entries) {
    try {
      backups.add(await remover.remove(entry))
      log.info('ext.static', 'static entry removed', describe(entry))
    } catch (error) {
      log.warn('ext.static', `static entry not removed: ${errorMessage(error)}`, describe(entry))
      void vscode.window.showErrorMessage(`"${entry.name}" was not removed: ${errorMessage(error)}`)
    }
  }
  if (backups.size > 0) {
    void vscode.window.showInformationMessage(`Removed. The text before is in ${[...backups].join(', ')}.`)
  }
}

function describe({ file, path }: StaticEntry): { file: string; entry: string } {
  return { file, entry: path.join(' → ') }
}
