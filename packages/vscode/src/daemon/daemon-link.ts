/**
 * The window's own line to the daemon, for what people see and click; the agent's calls go through the front.
 *
 * Invariants
 * 1. A daemon that crashed, or was replaced, is found again or started again. One that somebody stopped on purpose is only
 *    looked for: it is theirs to start.
 * 2. Listeners hear of every change of the state, and never after `close`.
 * 3. `close` waits for nothing: a daemon that hangs does not keep the window.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Disposable, Listeners } from '@switchboard/base'
import { ensureDaemon, type ProgramCommand } from '@switchboard/cli/daemon-process'
import { connectIpc, type DaemonStatus, findEndpoint, IpcClient } from '@switchboard/daemon/client'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { HomePaths, IpcMethod } from '@switchboard/protocol/ipc'
import type { Logger } from '@switchboard/telemetry'

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly status: DaemonStatus }
  /** By somebody, on purpose. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: SwitchboardError }

export interface DaemonLinkOptions {
  readonly home: HomePaths
  readonly env: Readonly<Record<string, string | undefined>>
  /** What a daemon is started with. */
  readonly findProgram: () => Promise<{
    readonly program: ProgramCommand
    readonly env: Readonly<Record<string, string>>
  }>
  readonly inst: string
  readonly log: Logger
  /** Milliseconds between two looks for a daemon that is not ours to start. Default: 2 s. */
  readonly lookEvery?: number
}

/** The fronts of the window notice a crash as well, and one of all starts the next. */
const PATIENCE_MS = 250
const ANSWER_MS = 10_000
/** Many events at once are one change to whoever looks. */
const REFRESH_MS = 50

export class DaemonLink {
  readonly #options: DaemonLinkOptions
  readonly #listeners = new Listeners<[state: LinkState]>()
  readonly #closing = new AbortController()
  #state: LinkState = { kind: 'connecting' }
  #client: IpcClient | undefined
  #isStopping = false
  /** Ends the pause between two looks. */
  #wake: AbortController | undefined
  #refreshing: Promise<void> | undefined
  #wantsRefresh = false

  constructor(options: DaemonLinkOptions) {
    this.#options = options
  }

  get state(): LinkState {
    return this.#state
  }

  onDidChange(listener: (state: LinkState) => void): Disposable {
    return this.#listeners.add(listener)
  }

  /** Until `close`. */
  start(): void {
    void this.#run()
  }

  /** Rejects with `daemon_unavailable` when there is none. */
  async request<T extends object>(method: IpcMethod, params: object = {}, traceId?: string): Promise<T> {
    const client = this.#client
    if (client === undefined) throw createAbsence(this.#state)
    const { inst } = this.#options
    return client.request<T>(method, params, {
      timeout: ANSWER_MS,
      inst,
      ...(traceId === undefined ? {} : { traceId }),
    })
  }

  /** A person wants one, whoever stopped the last. */
  startDaemon(): void {
    this.#isStopping = false
    if (this.#client === undefined) this.#enter({ kind: 'connecting' })
    this.#wake?.abort()
  }

  /** The one that runs makes room for one of this extension's own version. */
  async restartDaemon(): Promise<void> {
    const client = this.#client
    if (client !== undefined) {
      await this.request('shutdown', { graceful: true })
      await client.closed
    }
    this.startDaemon()
  }

  /** What is shown may be old: asks again. */
  refresh(): Promise<void> {
    if (this.#refreshing !== undefined) {
      this.#wantsRefresh = true
      return this.#refreshing
    }
    this.#refreshing = this.#readStatus().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  close(): void {
    this.#closing.abort()
    this.#wake?.abort()
    this.#client?.close()
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  async #run(): Promise<void> {
    // Looking for one, and starting it where none is, are the same but for this.
    let mayStart = true
    let isFirst = true
    while (!this.#isClosed) {
      let client: IpcClient | undefined
      try {
        client = mayStart ? await this.#ensure(isFirst ? 0 : PATIENCE_MS) : await this.#look()
        isFirst = false
        if (client !== undefined) await this.#stay(client)
        mayStart = client !== undefined && !this.#isStopping
      } catch (thrown) {
        client?.close()
        if (this.#isClosed) return
        const error = toSwitchboardError(thrown)
        this.#options.log.warn('ext.daemon', error.message, { code: error.code, hint: error.hint })
        this.#enter({ kind: 'failed', error })
        mayStart = false
      }
      if (this.#isClosed) return
      if (mayStart) this.#enter({ kind: 'connecting' })
      else {
        if (this.#isStopping && client !== undefined) this.#enter({ kind: 'stopped' })
        mayStart = await this.#pause()
      }
    }
  }

  async #ensure(patience: number): Promise<IpcClient> {
    const { home, env, findProgram, log } = this.#options
    const found = await findProgram()
    const { socket, started } = await ensureDaemon({
      home,
      env: { ...env, ...found.env },
      program: found.program,
      signal: this.#closing.signal,
      patience,
    })
    if (started) log.info('ext.daemon', 'no daemon was running: one was started')
    return new IpcClient(socket)
  }

  /** Undefined: nobody is there. */
  async #look(): Promise<IpcClient | undefined> {
    return connectIpc(findEndpoint(this.#options.home)).catch(() => undefined)
  }

  /** Until the connection is over. */
  async #stay(client: IpcClient): Promise<void> {
    this.#isStopping = false
    const subscription = client.onEvent((event) => {
      if (event.type === 'stopping') this.#isStopping = true
      else void this.refresh()
    })
    try {
      await client.subscribe()
      if (this.#isClosed) return
      this.#client = client
      await this.refresh()
      const reason = await client.closed
      if (!this.#isClosed)
        this.#options.log.info('ext.daemon', `the daemon is gone: ${reason}`, { on_purpose: this.#isStopping })
    } finally {
      this.#client = undefined
      subscription.dispose()
      client.close()
    }
  }

  /** True: a person has asked for a daemon. */
  async #pause(): Promise<boolean> {
    const wake = new AbortController()
    this.#wake = wake
    await delay(this.#options.lookEvery ?? 2_000, undefined, { signal: wake.signal }).catch(() => undefined)
    this.#wake = undefined
    return wake.signal.aborted
  }

  async #readStatus(): Promise<void> {
    do {
      this.#wantsRefresh = false
      const client = this.#client
      if (client === undefined) return
      try {
        const status = await client.request<DaemonStatus>(
          'status',
          {},
          { timeout: ANSWER_MS, inst: this.#options.inst },
        )
        if (this.#client === client && !this.#isClosed) this.#enter({ kind: 'connected', status })
      } catch (error) {
        // One that is gone is noticed by its connection, and one that stops has said so.
        if (this.#client !== client || this.#isClosed || this.#isStopping) return
        // One that hangs is left, and looked for again.
        client.close()
        this.#options.log.warn('ext.daemon', 'the daemon did not tell its status', { error: String(error) })
        return
      }
      await delay(REFRESH_MS)
    } while (this.#wantsRefresh && !this.#isClosed)
  }

  #enter(state: LinkState): void {
    this.#state = state
    this.#listeners.notify(state)
  }
}

function createAbsence(state: LinkState): SwitchboardError {
  if (state.kind === 'failed') return state.error
  const what = state.kind === 'stopped' ? 'The daemon was stopped.' : 'The daemon is not there yet.'
  return new SwitchboardError('daemon_unavailable', what, { hint: 'Start it with "Switchboard: Start the Daemon".' })
}
