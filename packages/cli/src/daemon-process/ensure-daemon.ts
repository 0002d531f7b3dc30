/**
 * A connection to the daemon of a home, which is started if none runs. However many ask at once, one of them starts it and all
 * are connected to it; when it does not come up, all hear why and none starts a second one at once.
 */
import { mkdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { errorMessage } from '@switchboard/base'
import { findEndpoint } from '@switchboard/daemon/client'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { HomePaths } from '@switchboard/protocol/ipc'
import { connectEndpoint } from './connect-endpoint.ts'
import { findDaemonProgram, type ProgramCommand } from './daemon-program.ts'
import { createStartError, type SpawnedDaemon, spawnDaemon, trimStderr } from './spawn-daemon.ts'
import { readStart, type StartFlight, takeStartFlight } from './start-flight.ts'

export interface EnsureDaemonOptions {
  readonly home: HomePaths
  readonly env: Readonly<Record<string, string | undefined>>
  /** What is started, with `daemon --home …` behind it. Default: this very program. */
  readonly program?: ProgramCommand
  /** For a daemon that is started; one that runs has its own. */
  readonly configFile?: string | undefined
  readonly signal?: AbortSignal
  /** Milliseconds until it is given up. Default: 20 s. */
  readonly timeout?: number
  /** Milliseconds in which somebody else may start one first. Default: 0. */
  readonly patience?: number
}

export interface RunningDaemon {
  readonly endpoint: string
  readonly socket: Socket
  /** By this call. */
  readonly started: boolean
}

export const START_TIMEOUT_MS = 20_000
/** Milliseconds between attempts: most daemons are up within a quarter of a second, and whoever waits feels each of them. */
const POLL_MS = 5
const LATER_POLL_MS = 25
const LATER_MS = 1_000
/** How `switchboard daemon` ends when another one holds the lock. */
const LOCK_HELD = 78

/** Rejects with `daemon_unavailable`, or with the signal's reason. */
export async function ensureDaemon(options: EnsureDaemonOptions): Promise<RunningDaemon> {
  const { home, timeout = START_TIMEOUT_MS, patience = 0, signal } = options
  const endpoint = findEndpoint(home)
  const begun = performance.now()
  const start = new Start(options)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const socket = await connectEndpoint(endpoint)
      if (socket !== undefined) {
        trimStderr(home)
        return { endpoint, socket, started: start.isOurs }
      }
      const waited = performance.now() - begun
      if (waited > timeout) {
        throw createStartError(home, `No daemon answered at ${endpoint} within ${Math.round(timeout / 1000)} s`)
      }
      if (waited >= patience) start.advance()
      await delay(waited < LATER_MS ? POLL_MS : LATER_POLL_MS)
    }
  } finally {
    start.end(signal?.aborted === true)
  }
}

/** One caller's part in a start: the one who does it, or one who waits. */
class Start {
  readonly #options: EnsureDaemonOptions
  #flight: StartFlight | undefined
  #daemon: SpawnedDaemon | undefined
  #isWaiting = false
  #isOver = false

  constructor(options: EnsureDaemonOptions) {
    this.#options = options
  }

  get isOurs(): boolean {
    return this.#daemon !== undefined && this.#daemon.exit === undefined
  }

  /** Called after each attempt to connect that found nobody. */
  advance(): void {
    const { home } = this.#options
    if (this.#daemon !== undefined) this.#throwOnExit(this.#daemon)
    // Whoever begins anew writes over what the one before said; what theirs says is as good.
    else if (this.#isOver && readStart(home.starting) === 'under_way') this.#isOver = false
    // Seen to be over before the last attempt: that start has failed, and what it said is on file.
    else if (this.#isOver) throw createStartError(home, 'The daemon that another process started did not come up')
    else if (this.#isWaiting && readStart(home.starting) === 'none') this.#isOver = true
    else this.#begin()
  }

  /** `isAbandoned`: we end, the daemon may still come up, and whoever waits for it shall go on waiting. */
  end(isAbandoned: boolean): void {
    if (!isAbandoned) this.#flight?.release()
  }

  #begin(): void {
    const { home, env, program = findDaemonProgram(), configFile } = this.#options
    try {
      mkdirSync(home.run, { recursive: true, mode: 0o700 })
      this.#flight = takeStartFlight(home.starting)
      this.#isWaiting = this.#flight === undefined
      if (this.#flight !== undefined) this.#daemon = spawnDaemon({ home, env, program, configFile })
    } catch (error) {
      const reason = errorMessage(error)
      throw new SwitchboardError('daemon_unavailable', `A daemon cannot be started in ${home.run}: ${reason}`, {
        cause: error,
      })
    }
  }

  #throwOnExit({ exit }: SpawnedDaemon): void {
    if (exit === undefined || exit.code === LOCK_HELD) return
    throw createStartError(this.#options.home, `The daemon ended at its start (${exit.reason})`)
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
