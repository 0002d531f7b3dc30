/** Starts a program under the debugger, and follows the processes that it starts. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { type OrphanGuard, spawnChild } from '@switchboard/process'
import { ToolError } from '@switchboard/toolkit'
import type { Launch, StartContext } from '../engine/debug-session.ts'
import { ForeignProcess, LaunchedProcess } from './debugged-process.ts'
import { cancelledError, InspectorClient } from './inspector-client.ts'
import { InspectorSession, type SessionSettings } from './inspector-session.ts'
import { connectInspector } from './inspector-socket.ts'
import { chooseNodeCommand, isTypeScript } from './node-command.ts'
import { type Announcement, Rendezvous } from './rendezvous.ts'
import { toRealPath, WorkspaceNames } from './script-table.ts'

const START_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000
const STDERR_TAIL = 2_000

export interface NodeEnvironment {
  readonly guard: OrphanGuard
  /** A folder of ours for what must be nobody else's. Default: among the temporary files. */
  readonly folder?: string | undefined
}

export async function launchNode(
  launch: Launch,
  context: StartContext,
  environment: NodeEnvironment,
): Promise<InspectorSession> {
  if (context.signal.aborted) throw cancelledError()
  if (launch.program !== '' && !existsSync(launch.program)) {
    throw new ToolError('E_FILE_NOT_FOUND', `The program ${launch.program} does not exist.`)
  }
  const launching = new Launching(launch, context)
  return launching.start(environment)
}

class Launching {
  readonly #launch: Launch
  readonly #context: StartContext
  readonly #names: WorkspaceNames
  readonly #settings: SessionSettings = { breakpoints: new Map(), exceptions: 'none' }
  readonly #sessions = new Map<number, InspectorSession>()
  readonly #first = Promise.withResolvers<Announcement>()
  #rendezvous: Rendezvous | undefined
  #process: LaunchedProcess | undefined
  #root: InspectorSession | undefined
  #waiting: Announcement[] | undefined

  constructor(launch: Launch, context: StartContext) {
    this.#launch = launch
    this.#context = context
    const { skipFiles, libraries } = launch.options
    this.#names = new WorkspaceNames(context.workspace, { skipFiles, libraries })
  }

  async start({ guard, folder }: NodeEnvironment): Promise<InspectorSession> {
    const { signal } = this.#context
    try {
      const [{ command, args, entry }, rendezvous] = await Promise.all([
        chooseNodeCommand(this.#launch, this.#context.environment),
        Rendezvous.open(folder, (announcement) => this.#onAnnounced(announcement)),
      ])
      this.#rendezvous = rendezvous
      if (signal.aborted) throw cancelledError()
      this.#process = this.#spawn(command, args, rendezvous, guard)
      const announcement = await this.#waitForFirst(this.#process)
      if (this.#launch.options.autoAttachChildProcesses === false) await rendezvous.refuseMore()
      const root = await this.#open(
        announcement,
        this.#process,
        this.#launch.stopOnEntry ? toRealPath(entry) : undefined,
      )
      this.#root = root
      for (const child of this.#waiting?.splice(0) ?? []) this.#onAnnounced(child)
      return root
    } catch (error) {
      await this.#process?.stop({ kill: true, grace: 0 })
      await this.#rendezvous?.close()
      throw signal.aborted ? cancelledError() : error
    }
  }

  #spawn(command: string, args: readonly string[], rendezvous: Rendezvous, guard: OrphanGuard): LaunchedProcess {
    const { env, cwd, stdin } = this.#launch
    const base = this.#context.environment
    const own = env.NODE_OPTIONS ?? (base ?? process.env).NODE_OPTIONS ?? ''
    const outcome = spawnChild({
      command,
      args,
      cwd,
      env: { ...env, NODE_OPTIONS: rendezvous.toNodeOptions(own) },
      inheritEnv: true,
      base,
    })
    if (!outcome.spawned)
      throw new ToolError('E_LAUNCH_FAILED', `The program was not started: ${outcome.problem.message}.`)
    const { child, family } = outcome
    if (child.pid === undefined) {
      child.on('error', () => {})
      throw new ToolError('E_LAUNCH_FAILED', `The system did not start ${command}.`)
    }
    this.#context.log('debuggee started', { pid: child.pid, command, args })
    return new LaunchedProcess(child, child.pid, { guard, family, stdin })
  }

  /** The one that we started, or, where a shell script stands before Node, the first that it leads to. */
  async #waitForFirst(launched: LaunchedProcess): Promise<Announcement> {
    const { signal } = this.#context
    let timer: NodeJS.Timeout | undefined
    let abort: (() => void) | undefined
    try {
      return await Promise.race([
        this.#first.promise,
        launched.ended.then(({ exitCode, signal: killed }) => {
          const tail = launched.earlyText.slice(-STDERR_TAIL).trim()
          const how = killed === undefined ? `with code ${exitCode}` : `by ${killed}`
          throw new ToolError(
            'E_LAUNCH_FAILED',
            `The program ended ${how} before the debugger got hold of it.${tail === '' ? ' Is it run by Node?' : `\n${tail}`}`,
          )
        }),
        new Promise<never>((_, reject) => {
          abort = () => reject(cancelledError())
          signal.addEventListener('abort', abort, { once: true })
          timer = setTimeout(
            () =>
              reject(new ToolError('E_LAUNCH_FAILED', `No Node process began within ${START_TIMEOUT_MS / 1000} s.`)),
            START_TIMEOUT_MS,
          )
        }),
      ])
    } finally {
      clearTimeout(timer)
      if (abort !== undefined) signal.removeEventListener('abort', abort)
    }
  }

  #onAnnounced(announcement: Announcement): void {
    if (this.#waiting === undefined) {
      this.#waiting = []
      this.#first.resolve(announcement)
    } else if (this.#root === undefined) this.#waiting.push(announcement)
    else {
      this.#addChild(announcement, this.#root).catch((error: unknown) =>
        this.#context.log('a child process could not be debugged', { pid: announcement.pid, error: String(error) }),
      )
    }
  }

  async #addChild(announcement: Announcement, root: InspectorSession): Promise<void> {
    const open = () => this.#open(announcement, new ForeignProcess(announcement.pid, true), undefined)
    // It stands still until we come: one try more before it is given up.
    const session = await open().catch((error: unknown) => {
      if (announcement.url === undefined) throw error
      return open()
    })
    const parent = this.#sessions.get(announcement.parent)
    ;(parent !== undefined && !parent.isEnded ? parent : root).announceChild(session)
    await session.run()
  }

  async #open(
    { url, pid, title }: Announcement,
    process: LaunchedProcess | ForeignProcess,
    entry: string | undefined,
  ): Promise<InspectorSession> {
    const isRoot = process instanceof LaunchedProcess
    // A child may begin long after the start, when its signal means nothing any more.
    const signal = isRoot ? { signal: this.#context.signal } : {}
    if (url === undefined) throw createToldError(pid)
    const socket = await connectInspector(url, { ...signal, timeout: CONNECT_TIMEOUT_MS })
    const session = new InspectorSession({
      id: randomUUID(),
      name: basename(isRoot ? this.#launch.program || title : title) || 'node',
      language: isTypeScript(isRoot ? this.#launch.program : title) ? 'typescript' : 'node',
      client: new InspectorClient(socket),
      process,
      names: this.#names,
      settings: isRoot ? this.#settings : { ...this.#settings, breakpoints: new Map(this.#settings.breakpoints) },
      ...(entry === undefined ? {} : { entry }),
      isIndirect: isRoot && process.pid !== pid,
      ...(isRoot ? { onSettings: (change) => this.#passOn(change) } : {}),
    })
    this.#sessions.set(pid, session)
    session.ended.then(() => this.#onSessionEnded(pid))
    await session.prepare()
    return session
  }

  /** Children follow the program in all that is set. One that ends meanwhile does not matter. */
  async #passOn(change: (session: InspectorSession) => Promise<unknown>): Promise<void> {
    const children = [...this.#sessions.values()].filter((session) => session !== this.#root && !session.isEnded)
    await Promise.all(children.map((child) => change(child).catch(() => {})))
  }

  #onSessionEnded(pid: number): void {
    this.#sessions.delete(pid)
    if (this.#sessions.size > 0) return
    // Children that are debugged may outlive the program; what is left after the last of them has no owner.
    this.#process?.endFamily().catch(() => {})
    this.#rendezvous?.close().catch(() => {})
  }
}

function createToldError(pid: number): ToolError {
  return new ToolError(
    'E_LAUNCH_FAILED',
    `The standard error of the process ${pid} is a file that other users may read, and Node would write there how to take the process over. Let it go elsewhere, or make the file private (chmod go= …).`,
  )
}
