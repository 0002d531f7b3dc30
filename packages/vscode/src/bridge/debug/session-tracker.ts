/**
 * Sees what VS Code and every debug adapter of the window say to each other, and tells whoever drives or reads a session.
 *
 * In the programs of an agent a few words of VS Code are changed on their way to the adapter: conditions and log messages are those
 * that the agent's engine wrote, not those that the person reads in the editor, and exceptions stop as the agent wants it. Where a
 * VS Code does not let that through, the agent has what the editor shows.
 */
import * as vscode from 'vscode'
import type { DapMessage } from './dap-messages.ts'

export interface SessionListener {
  /** VS Code is about to say it; may be changed. */
  onRequest(session: vscode.DebugSession, message: DapMessage): void
  onMessage(session: vscode.DebugSession, message: DapMessage): void
  /** Its adapter is gone. */
  onBroken?(session: vscode.DebugSession): void
  onEnd(session: vscode.DebugSession): void
}

export class SessionTracker {
  readonly #listeners = new Map<string, SessionListener>()
  readonly #live = new Map<string, vscode.DebugSession>()
  readonly #disposables: vscode.Disposable[]
  readonly #claim: (session: vscode.DebugSession, parent: SessionListener | undefined) => SessionListener | undefined

  /** `claim`: whose is a session that begins? */
  constructor(
    claim: (session: vscode.DebugSession, parent: SessionListener | undefined) => SessionListener | undefined,
  ) {
    this.#claim = claim
    this.#disposables = [
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => this.#track(session),
      }),
      vscode.debug.onDidTerminateDebugSession((session) => this.#end(session)),
    ]
  }

  get live(): readonly vscode.DebugSession[] {
    return [...this.#live.values()]
  }

  listenerOf(session: vscode.DebugSession): SessionListener | undefined {
    return this.#listeners.get(session.id)
  }

  /** From now on, in place of whoever it was. */
  assign(session: vscode.DebugSession, listener: SessionListener): void {
    this.#listeners.set(session.id, listener)
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose()
  }

  #track(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    this.#live.set(session.id, session)
    const parent = session.parentSession === undefined ? undefined : this.#listeners.get(session.parentSession.id)
    const listener = this.#claim(session, parent)
    if (listener !== undefined) this.#listeners.set(session.id, listener)
    return {
      onWillReceiveMessage: (message: DapMessage) => this.#listeners.get(session.id)?.onRequest(session, message),
      onDidSendMessage: (message: DapMessage) => this.#listeners.get(session.id)?.onMessage(session, message),
      onError: () => this.#listeners.get(session.id)?.onBroken?.(session),
      onExit: () => this.#listeners.get(session.id)?.onBroken?.(session),
    }
  }

  #end(session: vscode.DebugSession): void {
    this.#live.delete(session.id)
    this.#listeners.get(session.id)?.onEnd(session)
    this.#listeners.delete(session.id)
  }
}
