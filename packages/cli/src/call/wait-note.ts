/**
 * Says whom a call waits for, once that takes long: on a terminal in a line that goes away again, elsewhere in a line of its own
 * for every server that is not up. It ends with the first sign of life of the call.
 */

import { wordOfState } from '@switchboard/daemon/state-words'
import type { Backend, BackendServer } from '../backend/backend.ts'
import type { CommandContext } from '../context/command-context.ts'
import { formatDuration } from '../terminal/format.ts'
import { Spinner } from '../terminal/spinner.ts'

const LOOK_MS = 1_000
/** Where nobody watches, an ordinary start is not worth a line. */
const PATIENCE_MS = 5_000

export interface WaitNoteOptions {
  readonly tool: string
  /** Whose tool it is; undefined: that is what is looked for. */
  readonly server?: string
  /** It is known, and called. */
  readonly isFound: boolean
}

export class WaitNote {
  readonly #context: CommandContext
  readonly #backend: Backend
  readonly #options: WaitNoteOptions
  readonly #spinner: Spinner
  readonly #timer: NodeJS.Timeout
  readonly #startedAt = performance.now()
  readonly #told = new Set<string>()
  #waiting: readonly BackendServer[] = []
  #isOver = false

  constructor(context: CommandContext, backend: Backend, options: WaitNoteOptions) {
    this.#context = context
    this.#backend = backend
    this.#options = options
    this.#spinner = new Spinner(context.err, () => `${this.#describe()} (${formatDuration(this.#elapsed)}) …`)
    this.#timer = setInterval(() => void this.#look(), LOOK_MS)
    void this.#look()
  }

  stop(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    this.#spinner.stop()
  }

  /** Somebody else writes to the terminal meanwhile. */
  aside(write: () => void): void {
    this.#spinner.clear()
    write()
  }

  get #elapsed(): number {
    return performance.now() - this.#startedAt
  }

  async #look(): Promise<void> {
    // Who cannot be asked is told of by the call itself.
    const servers = await this.#backend.status().catch(() => [])
    this.#waiting = servers.filter((server) => this.#isMeant(server) && isComing(server))
    const { err, isJson } = this.#context
    if (this.#isOver || err.isTTY || isJson || this.#elapsed < PATIENCE_MS) return
    for (const server of this.#waiting) {
      const text = `waiting for ${describeServer(server)}`
      if (!this.#told.has(text)) err.line(text)
      this.#told.add(text)
    }
  }

  #isMeant({ name }: BackendServer): boolean {
    const { server, tool } = this.#options
    return server === undefined ? tool.startsWith(name.slice(0, LIKELY_PREFIX)) : server === name
  }

  #describe(): string {
    const { tool, server, isFound } = this.#options
    if (this.#waiting.length > 0) return `${tool} waits for ${this.#waiting.map(describeServer).join(', ')}`
    return isFound ? `waiting for the answer of ${server}` : `looking for ${tool}`
  }
}

/** Names of tools begin with that of their server, which may be shortened. */
const LIKELY_PREFIX = 8

function isComing({ state }: BackendServer): boolean {
  return state === 'starting' || state === 'backoff'
}

function describeServer({ name, state }: BackendServer): string {
  return `${name}, which is ${wordOfState(state)}`
}
