/** `status --watch` on a terminal: redraws when something happens and every second, obeys keys, and cleans up after itself. */
import type { Backend, BackendEvent, BackendServer } from '../backend/backend.ts'
import type { CommandContext } from '../context/command-context.ts'
import { EXIT } from '../exit-code.ts'
import { formatPath } from '../terminal/format.ts'
import { LiveRegion } from '../terminal/live-region.ts'
import { describeEvent } from './describe-event.ts'
import { endOfWatch } from './end-of-watch.ts'
import { countTokens, countTokensByServer } from './tool-tokens.ts'
import { readKeys } from './watch-keys.ts'
import { renderWatchScreen, type WatchEvent, type WatchModel } from './watch-screen.ts'

const TICK_MS = 1000
/** Many events at once are one frame. */
const FRAME_MS = 40
const KEPT_EVENTS = 20

export async function watchOnScreen(
  context: CommandContext,
  backend: Backend,
  only: string | undefined,
): Promise<number> {
  const screen = new WatchScreen(context, backend, only)
  return screen.run()
}

class WatchScreen {
  readonly #context: CommandContext
  readonly #backend: Backend
  readonly #only: string | undefined
  readonly #region: LiveRegion
  readonly #events: WatchEvent[] = []
  readonly #over = Promise.withResolvers<void>()
  #selectedName: string | undefined
  #problem: string | undefined
  #hasQuit = false
  #frame: NodeJS.Timeout | undefined
  #drawing: Promise<void> = Promise.resolve()
  #model: WatchModel | undefined

  constructor(context: CommandContext, backend: Backend, only: string | undefined) {
    this.#context = context
    this.#backend = backend
    this.#only = only
    this.#region = new LiveRegion(context.out.stream)
  }

  async run(): Promise<number> {
    const { io } = this.#context
    const stream = io.stdout
    const onResize = (): void => {
      this.#region.clearScreen()
      this.#redraw()
    }
    const onAbort = (): void => this.#over.resolve()
    const subscription = this.#backend.onDidChange((event) => void this.#note(event))
    const keys = readKeys(io, (key) => this.#onKey(key))
    const tick = setInterval(() => this.#redraw(), TICK_MS)
    stream.on('resize', onResize)
    io.signal.addEventListener('abort', onAbort)
    if (io.signal.aborted) this.#over.resolve()
    try {
      this.#backend.start()
      await this.#draw()
      await this.#over.promise
      return this.#hasQuit ? EXIT.ok : endOfWatch(io)
    } finally {
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

  /** The last frame stays on the screen, with what was running in it, and says how it ended. */
  async #end(): Promise<void> {
    const hasServers = (this.#model?.servers.length ?? 0) > 0
    if (hasServers) this.#drawEnding('stopping the servers …')
    await this.#backend.close({ force: this.#context.io.force.aborted })
    this.#drawEnding(hasServers ? 'All servers are stopped.' : 'Ended.')
    this.#region.close({ keep: true })
  }

  #drawEnding(ending: string): void {
    if (this.#model !== undefined) this.#render({ ...this.#model, ending })
  }

  async #servers(): Promise<readonly BackendServer[]> {
    const servers = await this.#backend.status()
    return this.#only === undefined ? servers : servers.filter(({ name }) => name === this.#only)
  }

  async #note(event: BackendEvent): Promise<void> {
    if (event.type === 'configuration_refused') this.#problem = event.error.message
    else if (event.type.startsWith('configuration_')) this.#problem = undefined
    const text = this.#isWorthALine(event) ? describeEvent(event, await this.#servers()) : undefined
    if (text !== undefined) {
      this.#events.push({ time: Date.now(), text })
      this.#events.splice(0, this.#events.length - KEPT_EVENTS)
    }
    this.#redraw()
  }

  /** Each attempt of a server that is down begins and fails: how it failed is enough. A problem has its own place. */
  #isWorthALine(event: BackendEvent): boolean {
    if ('server' in event && this.#only !== undefined && event.server !== this.#only) return false
    if (event.type !== 'state_changed') return event.type !== 'configuration_refused'
    return event.state !== 'starting' || event.previous === 'ready' || event.previous === 'idle'
  }

  #onKey(key: 'up' | 'down' | 'restart' | 'quit' | 'interrupt'): void {
    if (key === 'interrupt') this.#context.io.interrupt({ kind: 'signal', signal: 'SIGINT' })
    else if (key === 'quit') {
      this.#hasQuit = true
      this.#over.resolve()
    } else void this.#actOnSelected(key)
  }

  async #actOnSelected(key: 'up' | 'down' | 'restart'): Promise<void> {
    const servers = await this.#servers()
    const at = this.#indexOfSelected(servers)
    if (key !== 'restart') {
      const to = Math.max(0, Math.min(servers.length - 1, at + (key === 'up' ? -1 : 1)))
      this.#selectedName = servers[to]?.name
    } else {
      const server = servers[at]
      if (server !== undefined) await this.#restart(server.name)
    }
    this.#redraw()
  }

  async #restart(name: string): Promise<void> {
    let text = `${name}: restart asked for`
    await this.#backend.restart(name).catch((error: unknown) => {
      text = error instanceof Error ? error.message : String(error)
    })
    this.#events.push({ time: Date.now(), text })
  }

  #indexOfSelected(servers: readonly BackendServer[]): number {
    return Math.max(
      0,
      servers.findIndex(({ name }) => name === this.#selectedName),
    )
  }

  #redraw(): void {
    this.#frame ??= setTimeout(() => {
      this.#frame = undefined
      this.#drawing = this.#draw()
    }, FRAME_MS)
  }

  async #draw(): Promise<void> {
    const servers = await this.#servers()
    const tools = (await this.#backend.tools()).filter(
      ({ server }) => this.#only === undefined || server === this.#only,
    )
    const { home } = this.#context
    this.#model = {
      servers,
      tools: tools.length,
      tokens: countTokens(tools),
      tokensByServer: countTokensByServer(tools),
      selected: this.#indexOfSelected(servers),
      events: this.#events,
      problem: this.#problem,
      configFile: formatPath(home.configFile, home.userHome),
      ending: undefined,
    }
    this.#render(this.#model)
  }

  #render(model: WatchModel): void {
    const { style, width, height } = this.#context.out
    this.#region.draw(renderWatchScreen(model, style, { width, height }))
  }
}
