/**
 * The debugger of this window, for agents. Owns who drives what: runs of agents, sessions of the person that an agent may look at
 * once the person has said so, and the breakpoints of agents. Whatever an agent has here ends with the agent, with the process that
 * speaks for it, and with the window.
 */
import { isProcessAlive, within } from '@switchboard/base'
import { type BridgeChannel, type BridgeDialogue, BridgeError, type BridgeScript } from '@switchboard/bridge'
import { OrphanGuard } from '@switchboard/process'
import type { JsonObject } from '@switchboard/protocol'
import * as vscode from 'vscode'
import { AgentBreakpoints, type Memory } from './agent-breakpoints.ts'
import { AgentRun } from './agent-run.ts'
import { Consent } from './consent.ts'
import { type DapMessage, readNumber, readObject, readObjects, readText } from './dap-messages.ts'
import { findTestAbsence } from './find-test-absence.ts'
import { LaunchedProgram } from './launched-program.ts'
import { type SessionListener, SessionTracker } from './session-tracker.ts'

const LOOK_MS = 2_000
/** In which VS Code may end what agents debug before it is killed, and in which that is waited for. */
const CLOSE_MS = 700
const KILL_MS = 500
/** In which a test that was asked for must begin. */
const TEST_BEGIN_MS = 20_000
const NOT_BEGUN = 'No test of the Testing view began at that line'
const OFFER =
  'An extension has to offer a test there, with a way to debug it. editor_show_testing_ui shows what there is.'

export class AgentDebugger {
  readonly breakpoints: AgentBreakpoints
  readonly #tracker: SessionTracker
  readonly #consent = new Consent()
  readonly #runs = new Set<AgentRun>()
  /** Who waits for a session of this name to begin. */
  readonly #awaited = new Map<string, AgentRun>()
  /** Who waits for whatever session begins next. */
  #awaitsAny: AgentRun | undefined
  /** Of sessions that are nobody's but the person's: how they stand. */
  readonly #stops = new Map<string, JsonObject>()
  /** The processes that speak for agents, by the owner of breakpoints. */
  readonly #speakers = new Map<string, number>()
  readonly #disposables: { dispose(): void }[] = []
  readonly #programs = new Set<LaunchedProgram>()
  readonly #guard = new OrphanGuard()
  #count = 0

  constructor(breakpoints: Memory) {
    this.breakpoints = new AgentBreakpoints(breakpoints)
    this.breakpoints.sweep(vscode.debug.breakpoints)
    this.#tracker = new SessionTracker((session, parent) => this.#claim(session, parent))
    const timer = setInterval(() => this.#look(), LOOK_MS)
    this.#disposables.push(
      this.#tracker,
      { dispose: () => clearInterval(timer) },
      vscode.debug.onDidChangeBreakpoints(({ added, removed }) => {
        this.breakpoints.sweep(added)
        this.breakpoints.noteRemoved(removed)
      }),
    )
  }

  get scripts(): Readonly<Record<string, BridgeScript>> {
    return {
      'debug.types': async () => ({ types: listTypes() }),
      'breakpoint.set': (params) => this.#setBreakpoints(params),
      'breakpoint.forget': async ({ owner }) => this.breakpoints.forget(readText(owner) ?? ''),
    }
  }

  get dialogues(): Readonly<Record<string, BridgeDialogue>> {
    return { 'debug.session': (params, signal, channel) => this.#debug(params, signal, channel) }
  }

  /** Everything of agents ends; waits no longer than a window may take to close. */
  async close(): Promise<void> {
    const stopped = Promise.allSettled([...this.#runs].map((run) => run.stop()))
    this.breakpoints.clear()
    await within(stopped, CLOSE_MS)
    await within(Promise.allSettled([...this.#programs].map((program) => program.end())), KILL_MS)
    // It ends whom we could not, as it would after our death.
    void this.#guard.close()
    for (const disposable of this.#disposables) disposable.dispose()
  }

  async #debug(params: JsonObject, signal: AbortSignal, channel: BridgeChannel): Promise<unknown> {
    const start = readObject(params.start)
    const owner = readText(params.owner) ?? ''
    const isOwnBreakpoints = params.keepsBreakpoints !== true
    const configuration = readObject(start.configuration)
    const isLaunched = start.configuration !== undefined && configuration.request !== 'attach'
    const launched = isLaunched ? new LaunchedProgram(configuration, this.#guard) : undefined
    const run = new AgentRun({
      owner,
      breakpoints: this.breakpoints,
      channel,
      isReadOnly: start.kind === 'join',
      begin: (begun) => this.#begin(begun, start, launched, signal),
      readExitCode: () => launched?.exitCode,
    })
    this.#runs.add(run)
    if (launched !== undefined) this.#programs.add(launched)
    this.#noteSpeaker(owner, params)
    const { promise: aborted, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve(), { once: true })
    try {
      await Promise.race([run.ended, aborted])
      if (signal.aborted) await run.stop()
    } finally {
      this.#runs.delete(run)
      if (isOwnBreakpoints) this.breakpoints.forget(owner)
      await launched?.end()
      if (launched !== undefined) this.#programs.delete(launched)
    }
    return { ended: true }
  }

  async #begin(
    run: AgentRun,
    start: JsonObject,
    launched: LaunchedProgram | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    switch (start.kind) {
      case 'join':
        return this.#join(run, signal)
      case 'test':
        return this.#debugTest(run, start)
      default:
        return this.#start(run, launched?.configuration ?? readObject(start.configuration))
    }
  }

  async #start(run: AgentRun, wanted: JsonObject): Promise<void> {
    const name = `${readText(wanted.name) ?? 'program'} (agent ${++this.#count})`
    const configuration = { type: '', request: 'launch', ...wanted, name }
    const [folder] = vscode.workspace.workspaceFolders ?? []
    this.#awaited.set(name, run)
    try {
      const isStarted = await vscode.debug.startDebugging(folder, configuration)
      if (!isStarted) throw new Error('VS Code did not start it. The window says why')
    } finally {
      this.#awaited.delete(name)
    }
  }

  /** By whoever has registered the test: its extension starts the session. */
  async #debugTest(run: AgentRun, { path, line }: JsonObject): Promise<void> {
    const position = new vscode.Position((readNumber(line) ?? 1) - 1, 0)
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(readText(path) ?? ''))
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) })
    this.#awaitsAny = run
    try {
      const begun = run.begun
      // Looking for tests is a part of the command. It ends when there is none, or when one has run.
      const looked = vscode.commands.executeCommand('testing.debugAtCursor').then(
        () => findTestAbsence(document.uri),
        () => undefined,
      )
      const hasBegun = Promise.resolve(looked).then((absence) => {
        if (absence !== undefined) throw absence
        return begun
      })
      if ((await within(Promise.race([begun, hasBegun]), TEST_BEGIN_MS)) === undefined)
        throw new BridgeError('E_NO_TEST_AT_CURSOR', NOT_BEGUN, { hint: OFFER })
    } finally {
      if (this.#awaitsAny === run) this.#awaitsAny = undefined
    }
  }

  /** The one that the person looks at. */
  async #join(run: AgentRun, signal: AbortSignal): Promise<void> {
    const active = vscode.debug.activeDebugSession
    const isTheirs = active !== undefined && this.#tracker.listenerOf(active) === this.#person
    if (active === undefined || !isTheirs) throw new Error('The person debugs nothing in this window')
    if (!(await this.#consent.ask(active.name, signal))) throw new Error('The person did not allow it to be looked at')
    const root = rootOf(active)
    for (const session of this.#tracker.live.filter((one) => rootOf(one) === root)) {
      const stop = this.#stops.get(session.id)
      this.#tracker.assign(session, run)
      run.adopt(session)
      if (stop !== undefined) run.tellStop(session, stop)
    }
    void run.ended.then(() => this.#giveBack(root))
  }

  #giveBack(root: vscode.DebugSession): void {
    for (const session of this.#tracker.live) if (rootOf(session) === root) this.#tracker.assign(session, this.#person)
  }

  #claim(session: vscode.DebugSession, parent: SessionListener | undefined): SessionListener {
    const owner =
      parent ?? this.#awaited.get(session.name) ?? (session.parentSession === undefined ? this.#awaitsAny : undefined)
    if (!(owner instanceof AgentRun)) return this.#person
    if (owner === this.#awaitsAny) this.#awaitsAny = undefined
    owner.adopt(session)
    return owner
  }

  /** Remembers how sessions of the person stand, for the day that an agent is asked to look. */
  readonly #person: SessionListener = {
    onRequest: () => undefined,
    onMessage: (session, message: DapMessage) => {
      if (message.type !== 'event') return
      if (message.event === 'stopped') this.#stops.set(session.id, readObject(message.body))
      if (message.event === 'continued') this.#stops.delete(session.id)
    },
    onEnd: (session) => {
      this.#stops.delete(session.id)
    },
  }

  /** Without a program: the editor shows them, and the next program has them. */
  async #setBreakpoints(params: JsonObject): Promise<unknown> {
    const owner = readText(params.owner) ?? ''
    const path = readText(params.path) ?? ''
    if (path === '') throw new BridgeError('E_FILE_NOT_FOUND', 'No file is named')
    this.#noteSpeaker(owner, params)
    const { length: set } = this.breakpoints.set(owner, path, readObjects(params.breakpoints))
    await this.breakpoints.remembered
    return { set }
  }

  #noteSpeaker(owner: string, { pid }: JsonObject): void {
    const number = readNumber(pid)
    if (number !== undefined) this.#speakers.set(owner, number)
  }

  /** An agent whose daemon was killed says no goodbye. */
  #look(): void {
    for (const [owner, pid] of this.#speakers) {
      if (isProcessAlive(pid)) continue
      this.#speakers.delete(owner)
      this.breakpoints.forget(owner)
      for (const run of this.#runs) if (run.owner === owner) void run.stop()
    }
  }
}

function rootOf(session: vscode.DebugSession): vscode.DebugSession {
  return session.parentSession === undefined ? session : rootOf(session.parentSession)
}

/** The debuggers that extensions of this window bring. */
function listTypes(): string[] {
  return vscode.extensions.all.flatMap(({ packageJSON }) =>
    readObjects(readObject(readObject(packageJSON).contributes).debuggers).flatMap(({ type }) => readText(type) ?? []),
  )
}
