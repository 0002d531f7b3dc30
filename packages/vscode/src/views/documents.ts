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
  /** Of each document of logs: how many lines it had when it was last looked at. */
  readonly #lengths = new WeakMap<vscode.TextDocument, number>()

  constructor(home: HomePaths) {
    this.#home = home
    this.#disposables = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      watchFolder(home.logs, () => this.#onLogged()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#follow(document)),
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
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${source ?? 'all'}.log`, query: source ?? '' })
    const editor = await show(uri)
    this.#lengths.set(editor.document, editor.document.lineCount)
    goToEnd(editor)
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
    for (const { uri } of vscode.workspace.textDocuments) if (isLog(uri)) this.#changed.fire(uri)
  }

  /** A cursor at the end stays at the end; whoever has put it elsewhere reads there. */
  #follow(document: vscode.TextDocument): void {
    if (!isLog(document.uri)) return
    const before = this.#lengths.get(document) ?? 0
    this.#lengths.set(document, document.lineCount)
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document && editor.selection.active.line >= before - 1) goToEnd(editor)
    }
  }
}

function isLog({ scheme, path }: vscode.Uri): boolean {
  return scheme === SCHEME && !path.startsWith(TRACE)
}

async function show(uri: vscode.Uri): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(uri, { preview: true })
}

function goToEnd(editor: vscode.TextEditor): void {
  const end = new vscode.Position(editor.document.lineCount - 1, 0)
  editor.selection = new vscode.Selection(end, end)
  editor.revealRange(new vscode.Range(end, end))
}
