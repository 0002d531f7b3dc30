/**
 * Tells VS Code of the one server of this window, for as long as this activation lives.
 *
 * Invariants
 * 1. The label is always the same and never holds the instance: VS Code takes it for the server's name, and a new name would
 *    leave the old server behind.
 * 2. After `shutdown` there is nothing to start, whoever asks and whatever was on its way.
 * 3. VS Code is told of a change only when the definition is another one: hearing of it ends the server that runs.
 */
import * as vscode from 'vscode'
import { type FrontLaunch, isSameLaunch } from '../command/launch.ts'

export const PROVIDER_ID = 'switchboard'
const SERVER_LABEL = 'Switchboard'

export interface ServerProviderOptions {
  /** As it would be started now. Rejects when it cannot be started. */
  readonly describeLaunch: () => Promise<FrontLaunch>
  readonly version: string
  /** What kept the server from being offered. */
  onFailure(error: unknown): void
}

export class ServerProvider implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> {
  readonly #options: ServerProviderOptions
  readonly #changed = new vscode.EventEmitter<void>()
  #isShutdown = false
  /** What VS Code was last told. */
  #offered: FrontLaunch | undefined

  constructor(options: ServerProviderOptions) {
    this.#options = options
  }

  get onDidChangeMcpServerDefinitions(): vscode.Event<void> {
    return this.#changed.event
  }

  async provideMcpServerDefinitions(): Promise<vscode.McpStdioServerDefinition[]> {
    const launch = await this.#describe()
    if (launch === undefined || this.#isShutdown) return []
    this.#offered = launch
    const { command, args, cwd, env } = launch
    const definition = new vscode.McpStdioServerDefinition(
      SERVER_LABEL,
      command,
      [...args],
      { ...env },
      this.#options.version,
    )
    definition.cwd = vscode.Uri.file(cwd)
    return [definition]
  }

  /** Asked at every start. Undefined: it is not started. */
  resolveMcpServerDefinition(definition: vscode.McpStdioServerDefinition): vscode.McpStdioServerDefinition | undefined {
    return this.#isShutdown ? undefined : definition
  }

  /** Folders or settings are others now. */
  async update(): Promise<void> {
    const launch = await this.#describe()
    if (this.#isShutdown || launch === undefined) return
    if (this.#offered === undefined || !isSameLaunch(this.#offered, launch)) this.#changed.fire()
  }

  /** VS Code asks again, and hears that there is no server any more. */
  shutdown(): void {
    this.#isShutdown = true
    this.#changed.fire()
  }

  dispose(): void {
    this.#changed.dispose()
  }

  async #describe(): Promise<FrontLaunch | undefined> {
    if (this.#isShutdown) return undefined
    try {
      return await this.#options.describeLaunch()
    } catch (error) {
      this.#options.onFailure(error)
      return undefined
    }
  }
}
