/**
 * What every suite of this folder stands on: pools over real fixture servers that are closed after each test, a folder
 * of their own, and a check that no process, no socket and no timer outlives the test.
 */
import { createMemoryLogger, type LogRecord, type MemoryLogger } from '@switchboard/telemetry'
import {
  type FixtureScript,
  type JournalEntry,
  type RemoteFixture,
  readJournal,
  startRemoteFixture,
  type TemporaryDirectory,
  waitFor,
} from '@switchboard/testkit'
import { useBench } from '@switchboard/testkit/suite'
import {
  type Clock,
  McpPool,
  type McpPoolInput,
  type McpPoolOptions,
  type PoolEvent,
  type ServerInput,
  type ServerState,
  type ServerStatus,
  systemClock,
  type Timer,
} from '../../../src/index.ts'

export interface Bench {
  readonly pool: McpPool
  readonly log: MemoryLogger
  readonly events: PoolEvent[]
  /** The log entries of one category. */
  logged(category: string): LogRecord[]
  /** Every state the server has come into, in order. */
  states(server: string): ServerState[]
  status(server: string): ServerStatus
  /** Waits until the server has come into the state at least `times` times. */
  reached(server: string, state: ServerState, times?: number): Promise<void>
  /** Timers of the pool that have neither fired nor been cancelled. */
  timers(): number
}

export interface Workbench {
  readonly directory: TemporaryDirectory
  readonly marker: string
  journal(name: string): string
  /** The script with a journal and this test's marker. */
  script(name: string, script?: FixtureScript): FixtureScript
  stdio(name: string, script?: FixtureScript): ServerInput
  remote(name: string, transport: 'http' | 'sse' | 'websocket', script?: FixtureScript): Promise<RemoteFixture>
  open(config: McpPoolInput, options?: McpPoolOptions): Bench
  /** Undone after the test, last first. */
  defer(cleanup: () => unknown): void
  entries(name: string, event?: string): Promise<JournalEntry[]>
  /** The messages of one method that the server has received. */
  received(name: string, method: string): Promise<JournalEntry[]>
}

/** Call it at the top of a suite; the object is filled anew before each test. */
export function useWorkbench(): Workbench {
  const bench = useBench({ name: 'pool' })
  const workbench: Workbench = {
    get directory() {
      return bench.directory
    },
    get marker() {
      return bench.marker
    },
    journal: bench.journal,
    script: bench.script,
    stdio: bench.fixture,
    async remote(name, transport, script) {
      const remote = await startRemoteFixture(bench.script(name, script), transport)
      bench.defer(() => remote[Symbol.asyncDispose]())
      return remote
    },
    open(config, options = {}) {
      const opened = openBench(config, options)
      bench.defer(async () => {
        await opened.pool.close({ force: true })
        await waitFor(() => opened.timers() === 0, { what: 'the timers of a closed pool to be cancelled' })
      })
      return opened
    },
    defer: bench.defer,
    async entries(name, event) {
      const all = await readJournal(bench.journal(name))
      return event === undefined ? all : all.filter((entry) => entry.event === event)
    },
    received: async (name, method) =>
      (await workbench.entries(name, 'message')).filter(({ message }) => message?.method === method),
  }
  return workbench
}

function openBench(config: McpPoolInput, options: McpPoolOptions): Bench {
  const log = createMemoryLogger()
  const clock = new CountingClock(options.clock ?? systemClock)
  const pool = new McpPool(config, { log, ...options, clock })
  const events: PoolEvent[] = []
  const waiting = new Set<() => void>()
  pool.onDidChange((event) => {
    events.push(event)
    for (const look of [...waiting]) look()
  })
  const states = (server: string): ServerState[] =>
    events.flatMap((event) => (event.type === 'state_changed' && event.server === server ? [event.state] : []))
  return {
    pool,
    log,
    events,
    states,
    timers: () => clock.pending,
    logged: (category) => log.entries.filter(({ cat }) => cat === category),
    status(server) {
      const found = pool.status().find(({ name }) => name === server)
      if (found === undefined) throw new Error(`No status of ${server}.`)
      return found
    },
    reached(server, state, times = 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = (): void => {
        if (states(server).filter((seen) => seen === state).length < times) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
      return promise
    },
  }
}

class CountingClock implements Clock {
  readonly #clock: Clock
  pending = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  wallTime(): number {
    return this.#clock.wallTime()
  }

  setTimer(ms: number, fire: () => void): Timer {
    return this.#set('setTimer', ms, fire)
  }

  setBackgroundTimer(ms: number, fire: () => void): Timer {
    return this.#set('setBackgroundTimer', ms, fire)
  }

  #set(kind: 'setTimer' | 'setBackgroundTimer', ms: number, fire: () => void): Timer {
    let isPending = true
    this.pending += 1
    const settle = (): void => {
      if (isPending) this.pending -= 1
      isPending = false
    }
    const timer = this.#clock[kind](ms, () => {
      settle()
      fire()
    })
    return {
      cancel: () => {
        settle()
        timer.cancel()
      },
    }
  }
}

/** Time that runs faster, so that a schedule of seconds is over in tenths and yet in its order. */
export function createFastClock(factor: number): Clock {
  return {
    now: () => systemClock.now() * factor,
    wallTime: () => systemClock.wallTime(),
    setTimer: (ms, fire) => systemClock.setTimer(ms / factor, fire),
    setBackgroundTimer: (ms, fire) => systemClock.setBackgroundTimer(ms / factor, fire),
  }
}

/** Readable in a comparison: the data of a log entry. */
export function dataOf(entry: LogRecord | undefined): Record<string, unknown> {
  const data = entry?.data
  return typeof data === 'object' && data !== null ? { ...data } : {}
}
