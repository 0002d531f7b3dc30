/**
 * One activation of one window, with everything that belongs to it: the id, its log, its mode, the server that VS Code is told
 * of, the line to the daemon, and what is shown. It is made by `activate` and ended by `deactivate`; nothing of it is reused.
 */
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Disposable, errorMessage } from '@switchboard/base'
import { BridgeHost } from '@switchboard/bridge'
import type { StaticEntry } from '@switchboard/cli/static-entries'
import { createInstanceId } from '@switchboard/protocol'
import { toSwitchboardError } from '@switchboard/protocol/errors'
import type { HomePaths } from '@switchboard/protocol/ipc'
import { createFileLogger, type Logger, logFileName, readAudit, readLogLevel, readLogs } from '@switchboard/telemetry'
import * as vscode from 'vscode'
import { AgentDebugger } from './bridge/debug/agent-debugger.ts'
import { BRIDGE_SCRIPTS } from './bridge/scripts.ts'
import { findNode, type NodeProgram } from './command/find-node.ts'
import { createLaunch, type FrontLaunch } from './command/launch.ts'
import { DaemonLink } from './daemon/daemon-link.ts'
import { endWindow } from './end-window.ts'
import { PROVIDER_ID, ServerProvider } from './mcp/server-provider.ts'
import { WindowMode } from './modes/window-mode.ts'
import { TrustOffer } from './projects/trust-offer.ts'
import { locateHome, readSettings, SECTION } from './settings.ts'
import { findEntries } from './static/find-entries.ts'
import { createCallRows } from './views/call-rows.ts'
import { Documents } from './views/documents.ts'
import { createLogRows } from './views/log-rows.ts'
import { RowsView } from './views/rows-view.ts'
import { createServerRows } from './views/server-rows.ts'
import { StatusBar } from './views/status-bar.ts'
import { createWindowRows } from './views/window-rows.ts'
import { watchFolder } from './watch-folder.ts'

const SHOWN_CALLS = 50
const SHOWN_LINES = 100
const DEFAULT_PORT = 19_877
/** Where the ids of agents' breakpoints are kept, which VS Code brings back after a reload. */
const BREAKPOINTS = 'switchboard.agentBreakpoints'

export class WindowSession {
  /** Never derived from anything, never stored, never used again. */
  readonly instance = createInstanceId()
  readonly home: HomePaths
  readonly log: Logger
  readonly mode: WindowMode
  readonly link: DaemonLink
  readonly documents: Documents
  readonly #context: vscode.ExtensionContext
  readonly #provider: ServerProvider
  readonly #node: Promise<NodeProgram>
  readonly #views: Readonly<Record<'window' | 'servers' | 'calls' | 'logs', RowsView>>
  readonly #statusBar = new StatusBar()
  readonly #disposables: Disposable[] = []
  #registration: Disposable | undefined
  #bridge: BridgeHost | undefined
  readonly #trustOffer: TrustOffer
  readonly debugger: AgentDebugger

  constructor(context: vscode.ExtensionContext) {
    const settings = readSettings()
    const { instance } = this
    this.#context = context
    this.home = locateHome(settings)
    this.log = createFileLogger({
      directory: this.home.logs,
      file: logFileName({ runtime: 'extension', inst: instance }),
      inst: instance,
      level: readLogLevel(process.env),
    })
    this.#node = findNode({ named: settings.nodePath, env: process.env, editor: readEditor() })
    // Whoever needs it hears of it; until then it is no unhandled rejection.
    this.#node.catch(() => undefined)
    this.mode = new WindowMode({ directory: this.home.modes, instance, log: this.log })
    this.#provider = new ServerProvider({
      version: this.version,
      describeLaunch: () => this.#describeLaunch(),
      onFailure: (error) => this.#tellFailure(error),
    })
    this.link = new DaemonLink({
      home: this.home,
      env: process.env,
      inst: instance,
      log: this.log,
      findProgram: async () => {
        const node = await this.#node
        return { program: { file: node.file, args: [this.#command('bin', 'switchboard.mjs')] }, env: node.env }
      },
    })
    this.#trustOffer = new TrustOffer(this.link, this.log)
    this.documents = new Documents(this.home)
    this.debugger = new AgentDebugger({
      read: () => context.workspaceState.get<string[]>(BREAKPOINTS, []),
      write: (ids) => context.workspaceState.update(BREAKPOINTS, ids),
    })
    this.#views = {
      window: new RowsView('switchboard.window', () => createWindowRows(this.#look())),
      servers: new RowsView('switchboard.servers', () => createServerRows(this.link.state)),
      calls: new RowsView('switchboard.calls', () => this.#readCalls()),
      logs: new RowsView('switchboard.logs', () => this.#readLines()),
    }
  }

  get version(): string {
    const { version }: { version?: unknown } = this.#context.extension.packageJSON
    return typeof version === 'string' ? version : ''
  }

  /** In the order of the specification: the id is new, the mode is blank, old modes are swept, the server is registered. */
  async activate(): Promise<void> {
    try {
      await this.mode.activate()
    } catch (error) {
      // Without a file there is no mode, which is what a blank one says.
      this.log.error('ext.activate', `the mode file cannot be blanked: ${errorMessage(error)}`)
    }
    this.#registration = vscode.lm.registerMcpServerDefinitionProvider(PROVIDER_ID, this.#provider)
    this.log.info('ext.mcp', 'provider registered')
    this.#openBridge()
    this.#watch()
    this.link.start()
    this.#update()
    const folders = this.#folders()
    this.log.info('ext.activate', 'activated', {
      version: this.version,
      pid: process.pid,
      editor: `${vscode.env.appName} ${vscode.version}`,
      remote: vscode.env.remoteName,
      folders,
    })
  }

  /** Ends within two seconds, whatever the daemon, the disk or the agent does. */
  async deactivate(): Promise<void> {
    const registration = this.#registration
    await endWindow({
      log: this.log,
      server: registration && { registration, provider: this.#provider },
      endPrograms: () => this.debugger.close(),
      rest: [
        { dispose: () => this.#bridge?.close() },
        { dispose: () => this.link.close() },
        ...this.#disposables.splice(0).reverse(),
        ...Object.values(this.#views),
        this.#statusBar,
        this.mode,
        this.documents,
      ],
    })
  }

  /** What is shown is read again. */
  refresh(): void {
    void this.link.refresh()
    for (const view of Object.values(this.#views)) view.refresh()
  }

  findStaticEntries(): Promise<StaticEntry[]> {
    const { state } = this.link
    const http = state.kind === 'connected' ? state.status.daemon.http : null
    return findEntries({
      env: process.env,
      userHome: homedir(),
      // Each extension has a folder in `globalStorage`, which lies in that of the user.
      userFolder: dirname(dirname(this.#context.globalStorageUri.fsPath)),
      editorName: vscode.env.appName,
      folders: this.#folders(),
      port: http !== null && 'url' in http ? Number(new URL(http.url).port) : DEFAULT_PORT,
    })
  }

  /** In the folder that the front belongs to. */
  #openBridge(): void {
    const [workspace] = this.#folders()
    if (workspace === undefined || !vscode.workspace.isTrusted || this.#bridge !== undefined) return
    this.#bridge = new BridgeHost({
      workspace,
      instance: this.instance,
      scripts: { ...BRIDGE_SCRIPTS, ...this.debugger.scripts },
      dialogues: this.debugger.dialogues,
      onDidChange: ({ kind, ...rest }) => {
        this.log.info('bridge.host', `the bridge is ${kind}`, rest)
        if (kind !== 'closed') this.#views.window.refresh()
      },
      onRan: ({ scriptName, traceId }, failure, durationMs) => {
        const log = traceId === undefined ? this.log : this.log.child({ traceId })
        const end = failure === undefined ? 'answered' : `failed: ${failure.code}`
        log.info('bridge.command', `${scriptName} ${end}`, { duration_ms: Math.round(durationMs) })
      },
    })
    this.#bridge.start()
  }

  #watch(): void {
    this.#disposables.push(
      this.link.onDidChange(() => {
        this.#update()
        this.#offerTrust()
      }),
      this.mode.onDidChange(() => this.#update()),
      watchFolder(this.home.traces, () => {
        this.#views.calls.refresh()
        // How often servers and windows were used is told with them.
        void this.link.refresh()
      }),
      watchFolder(this.home.logs, () => this.#views.logs.refresh()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#openBridge()
        void this.#provider.update()
        this.#offerTrust()
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        void this.#provider.update()
        // A window that comes up may know its folders only after us.
        this.#openBridge()
        this.#offerTrust()
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SECTION}.profile`)) void this.#provider.update()
        const isOfStart = ['home', 'nodePath'].some((name) => change.affectsConfiguration(`${SECTION}.${name}`))
        if (isOfStart) void offerReload()
      }),
    )
  }

  #update(): void {
    this.#views.window.refresh()
    this.#views.servers.refresh()
    this.#statusBar.update(this.#look())
    // What an empty view says hangs on it.
    void vscode.commands.executeCommand('setContext', 'switchboard.daemon', this.link.state.kind)
  }

  /** What the project of the first folder wants to run is asked about once, and again when it is something else. */
  #offerTrust(): void {
    const [folder] = this.#folders()
    if (folder === undefined || !vscode.workspace.isTrusted) return
    void this.#trustOffer.look(folder)
  }

  #look() {
    const bridge = this.#bridge?.state
    return { instance: this.instance, mode: this.mode.mode, link: this.link.state, bridge, version: this.version }
  }

  async #describeLaunch(): Promise<FrontLaunch> {
    const { home, profile } = readSettings()
    return createLaunch({
      node: await this.#node,
      program: this.#command('bin', 'switchboard.mjs'),
      instance: this.instance,
      folders: this.#folders(),
      userHome: homedir(),
      home,
      profile,
      isTrusted: vscode.workspace.isTrusted,
    })
  }

  #tellFailure(error: unknown): void {
    const { message, hint, code } = toSwitchboardError(error)
    this.log.error('ext.mcp', `no server can be offered: ${message}`, { code })
    void vscode.window.showErrorMessage([message, hint].filter(Boolean).join(' '))
  }

  /** Those that are folders of this machine. */
  #folders(): string[] {
    const folders = vscode.workspace.workspaceFolders ?? []
    return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath)
  }

  /** A file of the command that the extension brings along. */
  #command(...parts: string[]): string {
    return join(this.#context.extensionPath, 'switchboard', ...parts)
  }

  async #readCalls() {
    return createCallRows(await readAudit({ directory: this.home.traces, limit: SHOWN_CALLS }), this.instance)
  }

  async #readLines() {
    const { instance } = this
    const lines = []
    const query = {
      directory: this.home.logs,
      level: 'info',
      limit: SHOWN_LINES,
      isShown: ({ inst, source }: { inst: string; source: string }) => inst === instance || source === 'daemon',
    } as const
    for await (const line of readLogs(query)) lines.push(line)
    return createLogRows(lines)
  }
}

async function offerReload(): Promise<void> {
  const reload = 'Reload the Window'
  const answer = await vscode.window.showInformationMessage('It holds from the next reload of the window on.', reload)
  if (answer === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow')
}

function readEditor() {
  const { execPath, versions } = process
  const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined
  return { execPath, versions, hasSqlite }
}
