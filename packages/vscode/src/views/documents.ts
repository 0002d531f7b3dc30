/** What is too long for a view, as read-only documents: the trace of a call, and the logs, which go on while they are looked at. */
import { errorMessage } from '@switchboard/base'
import { formatTrace, readTrace } from '@switchboard/cli/trace'
import type { HomePaths } from '@switchboard/protocol/ipc'
import { readLogs } from '@switchboard/telemetry'
import * as vscode from 'vscode'
import { watchFolder } from '../watch-folder.ts'
import { formatLine } from './log-rows.ts'

const SCHEME = 'switchboard'
const TRACE = '/trace '
const SHOWN_LINES = 500
const plain = (text: string): string => text
const STYLE = {
  hasColor: false,
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
  inverse: plain,
}

export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #home: HomePaths
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly #disposables: { dispose(): void }[]

  constructor(home: HomePaths) {
    this.#home = home
    this.#disposables = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      watchFolder(home.logs, () => this.#onLogged()),
      this.#changed,
    ]
  }

  get onDidChange(): vscode.Event<vscode.Uri> {
    return this.#changed.event
  }

  /** The same text that `switchboard trace` prints. */
  async showTrace(traceId: string): Promise<void> {
    await show(vscode.Uri.from({ scheme: SCHEME, path: `${TRACE}${traceId.slice(0, 8)}.log`, query: traceId }))
  }

  /** `source`: of one file only, such as `server-github`; none: all of them. */
  async showLogs(source?: string): Promise<void> {
    await show(vscode.Uri.from({ scheme: SCHEME, path: `/${source ?? 'all'}.log`, query: source ?? '' }))
  }

  async provideTextDocumentContent({ path, query }: vscode.Uri): Promise<string> {
    try {
      return path.startsWith(TRACE) ? await this.#readTrace(query) : await this.#readLines(query)
    } catch (error) {
      return `${errorMessage(error)}\n`
    }
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose()
  }

  async #readTrace(traceId: string): Promise<string> {
    const trace = await readTrace(traceId, { traces: this.#home.traces, logs: this.#home.logs })
    return `${formatTrace(trace, STYLE).join('\n')}\n`
  }

  async #readLines(source: string): Promise<string> {
    const wanted = source === '' ? {} : { source }
    const lines: string[] = []
    for await (const line of readLogs({ directory: this.#home.logs, limit: SHOWN_LINES, ...wanted })) {
      lines.push(formatLine(line))
    }
    return lines.length === 0 ? 'Nothing is logged yet.\n' : `${lines.join('\n')}\n`
  }

  #onLogged(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === SCHEME && !uri.path.startsWith(TRACE)) this.#changed.fire(uri)
    }
  }
}

async function show(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri, { preview: true })
}
