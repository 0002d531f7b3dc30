/** A live view on a terminal: redraws when something happens and every second, obeys keys, and cleans up after itself. */

import { errorMessage } from '@switchboard/base'
import { estimateToolTokens } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { Backend, BackendEvent, BackendServer } from '../backend/backend.ts'
import { readRefusal } from '../backend/daemon-report.ts'
import type { CommandContext } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatPath } from '../terminal/format.ts'
import { LiveRegion } from '../terminal/live-region.ts'
import { fitText, textWidth } from '../terminal/text-width.ts'
import { describeEvent } from './describe-event.ts'
import { endOfWatch } from './end-of-watch.ts'
import { sortByUrgency } from './server-state.ts'
import { countTokensByServer, ofServers } from './tool-tokens.ts'
import { type MoveKey, readKeys, type WatchKey } from './watch-keys.ts'
import { renderWatchScreen, type WatchEvent, type WatchModel } from './watch-screen.ts'

const TICK_MS = 1000
/** Many events at once are one frame. */
const FRAME_MS = 40
const KEPT_EVENTS = 20
const PAGE = 10

const MOVES: Readonly<Record<MoveKey, number>> = {
  up: -1,
  down: 1,
  page_up: -PAGE,
  page_down: PAGE,
  first: Number.NEGATIVE_INFINITY,
  last: Number.POSITIVE_INFINITY,
}

export interface WatchOptions {
  readonly only?: string | undefined
  /** Lines above the live part, of any width. They are printed once, and again after a change of size. */
  readonly header?: (servers: readonly BackendServer[]) => readonly string[]
  /** Of the key q. */
  readonly quit?: string
  /** Ends what is shown. Default: closes the backend. */
  readonly stop?: () => Promise<void>
  /** The last words; default: those of servers that were this command's own. */
  readonly farewell?: { readonly stopping?: string; readonly stopped: string }
}

export async function watchOnScreen(
  context: CommandContext,
  backend: Backend,
  options: WatchOptions = {},
): Promise<number> {
  const screen = new WatchScreen(context, backend, options)
  return screen.run()
}

class WatchScreen {
  readonly #context: CommandContext
  readonly #backend: Backend
  readonly #options: WatchOptions
  readonly #region: LiveRegion
  readonly #events: WatchEvent[] = []
  readonly #over = Promise.withResolvers<void>()
  #headerLines = 0
  #isStopping = false
  #isLost = false
  #isEnding = false
  #selected: Pick<BackendServer, 'name' | 'owner'> | undefined
  #problem: string | undefined
  #hasQuit = false
  #frame: NodeJS.Timeout | undefined
  #drawing: Promise<void> = Promise.resolve()
  #model: WatchModel | undefined

  constructor(context: CommandContext, backend: Backend, options: WatchOptions) {
    this.#context = context
    this.#backend = backend
    this.#options = options
    this.#region = new LiveRegion(context.out.stream)
  }

  async run(): Promise<number> {
    const { io } = this.#context
    const stream = io.stdout
    const onResize = (): void => {
      this.#region.clearScreen()
      this.#printHeader(this.#model?.servers ?? [])
      this.#redraw()
    }
    const onAbort = (): void => this.#over.resolve()
    const subscription = this.#backend.onDidChange((event) => void this.#note(event))
    const keys = readKeys(io, (key) => this.#onKey(key))
    const tick = setInterval(() => this.#redraw(), TICK_MS)
    stream.on('resize', onResize)
    io.signal.addEventListener('abort', onAbort)
    if (io.signal.aborted) this.#over.resolve()
    void this.#backend.lost.then((error) => this.#onLost(error))
    try {
      this.#backend.start()
      this.#printHeader(await this.#servers())
      await this.#draw()
      await this.#over.promise
      return this.#hasQuit ? EXIT.ok : endOfWatch(io)
    } finally {
      this.#isEnding = true
      keys.dispose()
      subscription.dispose()
      clearInterval(tick)
      clearTimeout(this.#frame)
      stream.removeListener('resize', onResize)
      io.signal.removeEventListener('abort', onAbort)
      await this.#drawing
      await this.#end()
    }
  }

  #printHeader(servers: readonly BackendServer[]): void {
    const { out } = this.#context
    const lines = this.#options.header?.(servers) ?? []
    for (const line of lines) out.line(line)
    // A line that is longer than the terminal is wide takes several.
    this.#headerLines = lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(textWidth(line) / out.width)), 0)
  }

  /** A daemon that was told to stop has done so; one that is gone without a word is a failure. */
  #onLost(error: SwitchboardError): void {
    if (this.#isEnding) return
    if (this.#isStopping) {
      this.#hasQuit = true
      this.#over.resolve()
    } else {
      this.#isLost = true
      this.#over.reject(error)
    }
  }

  /** The last frame stays on the screen, with what was running in it, and says how it ended. */
  async #end(): Promise<void> {
    const hasServers = (this.#model?.servers.length ?? 0) > 0
    const { stop, farewell } = this.#options
    const { stopping = hasServers ? 'stopping the servers …' : undefined } = farewell ?? {}
    if (stopping !== undefined && !this.#isStopping && !this.#isLost) this.#drawEnding(stopping)
    await (stop?.() ?? this.#backend.close({ force: this.#context.io.force.aborted }))
    const stopped = farewell?.stopped ?? (hasServers ? 'All servers are stopped.' : 'Ended.')
    if (!this.#isLost) this.#drawEnding(this.#isStopping ? 'The daemon has stopped.' : stopped)
    this.#region.close({ keep: true })
  }

  #drawEnding(ending: string): void {
    if (this.#model !== undefined) this.#render({ ...this.#model, ending })
  }

  async #servers(): Promise<readonly BackendServer[]> {
    const servers = sortByUrgency(await this.#backend.status())
    return this.#options.only === undefined ? servers : servers.filter(({ name }) => name === this.#options.only)
  }

  async #note(event: BackendEvent): Promise<void> {
    if (event.type === 'stopping') this.#isStopping = true
    if (event.type === 'configuration_refused') this.#problem = event.error.message
    else if (event.type.startsWith('configuration_')) this.#problem = undefined
    // What can no longer be looked up is told without details.
    const servers = await this.#servers().catch(() => [])
    const text = this.#isWorthALine(event) ? describeEvent(event, servers) : undefined
    if (text !== undefined) {
      this.#events.push({ time: Date.now(), text })
      this.#events.splice(0, this.#events.length - KEPT_EVENTS)
    }
    this.#redraw()
  }

  /** Each attempt of a server that is down begins and fails: how it failed is enough. A problem has its own place. */
  #isWorthALine(event: BackendEvent): boolean {
    if ('server' in event && this.#options.only !== undefined && event.server !== this.#options.only) return false
    if (event.type !== 'state_changed') return event.type !== 'configuration_refused'
    return event.state !== 'starting' || event.previous === 'ready' || event.previous === 'idle'
  }

  #onKey(key: WatchKey): void {
    if (key === 'interrupt') this.#context.io.interrupt({ kind: 'signal', signal: 'SIGINT' })
    else if (key === 'quit') {
      this.#hasQuit = true
      this.#over.resolve()
    } else void this.#actOnSelected(key).catch(() => undefined)
  }

  async #actOnSelected(key: MoveKey | 'restart'): Promise<void> {
    // As they are shown: one that has just failed is further up from the next frame on.
    const servers = this.#model?.servers ?? (await this.#servers())
    const at = this.#indexOfSelected(servers)
    if (key !== 'restart') {
      const to = Math.max(0, Math.min(servers.length - 1, at + MOVES[key]))
      this.#selected = servers[to]
    } else {
      const server = servers[at]
      if (server !== undefined) await this.#restart(server.name)
    }
    this.#redraw()
  }

  async #restart(name: string): Promise<void> {
    let text = `${name}: restart asked for`
    await this.#backend.restart(name).catch((error: unknown) => {
      text = errorMessage(error)
    })
    this.#events.push({ time: Date.now(), text })
  }

  #indexOfSelected(servers: readonly BackendServer[]): number {
    return Math.max(
      0,
      // A private server has an entry for each of its owners.
      servers.findIndex(({ name, owner }) => name === this.#selected?.name && owner === this.#selected.owner),
    )
  }

  #redraw(): void {
    this.#frame ??= setTimeout(() => {
      this.#frame = undefined
      // Who is gone cannot be asked; that ends the view by itself.
      this.#drawing = this.#draw().catch(() => undefined)
    }, FRAME_MS)
  }

  async #draw(): Promise<void> {
    const servers = await this.#servers()
    const daemon = await this.#backend.daemon()
    const refusal = daemon === undefined ? undefined : readRefusal(daemon)
    const tools = ofServers(await this.#backend.tools(), servers)
    const { home } = this.#context
    const { quit } = this.#options
    this.#model = {
      servers,
      daemon,
      headerLines: this.#headerLines,
      ...(quit === undefined ? {} : { quit }),
      tools: tools.length,
      tokens: estimateToolTokens(tools),
      tokensByServer: countTokensByServer(tools),
      selected: this.#indexOfSelected(servers),
      events: this.#events,
      problem: this.#problem ?? refusal,
      configFile: formatPath(home.configFile, home.userHome),
      ending: undefined,
    }
    this.#render(this.#model)
  }

  #render(model: WatchModel): void {
    const { out } = this.#context
    const { style, width, height } = out
    const lines = renderWatchScreen(model, style, { width, height })
    this.#region.draw(lines.map((line) => fitText(out.inForm(line), Math.max(20, width - 1))))
  }
}
