/**
 * Asks the person whether servers of the project in the window may run: once for what there is, and again when it is something
 * else. Only in a window that VS Code trusts. Nothing is let in by the notification alone: what would run is shown first.
 */
import { basename, join } from 'node:path'
import { errorMessage } from '@switchboard/base'
import type { ProjectReport } from '@switchboard/daemon/client'
import type { Logger } from '@switchboard/telemetry'
import * as vscode from 'vscode'
import type { DaemonLink } from '../daemon/daemon-link.ts'

const TRUST = 'Trust …'
const SHOW = 'Show'
const LATER = 'Not Now'
const RUN = 'Let Them Run'
/** A dialog that is longer than the screen hides its buttons. */
const MAX_LINES = 40

export class TrustOffer {
  readonly #link: DaemonLink
  readonly #log: Logger
  /** What was asked about, by its mark. */
  readonly #asked = new Set<string>()
  #looking: Promise<void> | undefined

  constructor(link: DaemonLink, log: Logger) {
    this.#link = link
    this.#log = log
  }

  /** Never rejects. */
  look(folder: string): Promise<void> {
    this.#looking ??= this.#look(folder)
      .catch((error: unknown) => this.#log.debug('ext.trust', `no project can be looked at: ${errorMessage(error)}`))
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(folder: string): Promise<void> {
    if (this.#link.state.kind !== 'connected') return
    const project = await this.#ask(folder, 'show')
    const waiting = listWaiting(project)
    if (waiting.length === 0 || this.#asked.has(project.mark)) return
    this.#asked.add(project.mark)
    // Nobody waits for an answer: it may never come.
    void this.#offer(project, waiting.length).catch((error: unknown) => {
      this.#log.warn('ext.trust', `the project was not trusted: ${errorMessage(error)}`)
      void vscode.window.showErrorMessage(`Nothing was trusted: ${errorMessage(error)}`)
    })
  }

  async #offer(project: ProjectReport, count: number): Promise<void> {
    const servers = count === 1 ? '1 MCP server that waits' : `${count} MCP servers that wait`
    const text = `The project ${basename(project.folder)} names ${servers} for your trust. Nothing of it runs until then.`
    const answer = await vscode.window.showInformationMessage(text, TRUST, SHOW, LATER)
    const [first] = listWaiting(project)
    if (answer === SHOW && first !== undefined) {
      await vscode.window.showTextDocument(vscode.Uri.file(join(project.folder, first.file)))
      // Whoever has read it is asked again.
      await this.#offer(project, count)
    }
    if (answer !== TRUST) return
    const lines = describe(project)
    const isLong = lines.length > MAX_LINES
    // What is let in has been there to be read, all of it.
    if (isLong)
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: lines.join('\n') }))
    const detail = isLong ? `${lines.length} lines, in the document that was opened behind this.` : lines.join('\n')
    const sure = await vscode.window.showWarningMessage('This would run as you:', { modal: true, detail }, RUN)
    if (sure !== RUN) return
    await this.#ask(project.folder, 'accept', { mark: project.mark })
    this.#log.info('ext.trust', 'servers of a project were trusted', { folder: project.folder, servers: count })
  }

  async #ask(folder: string, command: 'show' | 'accept', more: object = {}): Promise<ProjectReport> {
    const asked = { of: 'project', command, params: { folder, ...more }, workspace: folder }
    return (await this.#link.request<{ project: ProjectReport }>('run_command', asked)).project
  }
}

function listWaiting({ servers }: ProjectReport): ProjectReport['servers'] {
  return servers.filter(({ state }) => state === 'new' || state === 'changed')
}

function describe(project: ProjectReport): string[] {
  return listWaiting(project).flatMap(({ name, file, shown }) => [
    `${name} (${file})`,
    ...shown.map((line) => `    ${line}`),
  ])
}
