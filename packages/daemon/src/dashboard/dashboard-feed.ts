/**
 * The one stream of a page that is looked at: a line of JSON at most twice a second, with what has changed since the last one.
 * Nothing is gathered before somebody opens it, nor after it is closed; a reader that is slow is told less, never later.
 */
import type { ServerResponse } from 'node:http'
import type { Disposable } from '@switchboard/base'
import type { CallReport } from '@switchboard/gateway'
import type { ServerStatus } from '@switchboard/pool'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { followLogs, type LogLine } from '@switchboard/telemetry'
import type { SwitchboardControl } from '../control/switchboard-control.ts'
import { LiveCalls } from './live-calls.ts'
import { findServer, toLogFilters, toServerRow } from './rows.ts'
import { toShownJson } from './shown-json.ts'
import type { FeedMessage, FeedTopics } from './wire.ts'

const TICK_MS = 500
/** Of what is counted, not told one by one. */
const SLOW_TICKS = 2
/** A sign of life, so that a connection that is dead is found. */
const QUIET_TICKS = 30
const MOST_LOG_LINES = 100

export interface FeedHost {
  readonly control: SwitchboardControl
  readonly logsDirectory: string
}

export class DashboardFeed {
  readonly #host: FeedHost
  readonly #topics: FeedTopics
  readonly #response: ServerResponse
  readonly #calls: LiveCalls
  readonly #gone = new AbortController()
  readonly #events: Disposable
  readonly #timer: NodeJS.Timeout
  /** What was told last, as it was told. */
  readonly #told = new Map<string, string>()
  #lines: LogLine[] = []
  #skippedLines = 0
  #areToolsNew = false
  #lens: JsonObject | null = null
  #tick = 0
  #quiet = 0

  constructor(host: FeedHost, topics: FeedTopics, response: ServerResponse, onEnd: () => void) {
    this.#host = host
    this.#topics = topics
    this.#response = response
    this.#calls = new LiveCalls({ rows: topics.calls === true, latency: topics.latency })
    // Being subscribed also tells that the daemon is in use.
    this.#events = host.control.onEvent(({ type }) => {
      if (type === 'stopping') this.#stop()
      else if (type === 'catalog_changed' || type === 'configuration_applied') this.#areToolsNew = topics.tools === true
    })
    response.once('close', () => {
      this.#release()
      onEnd()
    })
    this.#timer = setInterval(() => this.#look(), TICK_MS)
    // That it is open, whatever else there is to tell.
    this.#write({})
    this.#look()
    if (topics.logs !== undefined) void this.#follow(topics.logs)
  }

  note(report: CallReport): void {
    this.#calls.note(report)
  }

  end(): void {
    this.#response.end()
  }

  #stop(): void {
    this.#write({ stopping: true })
    this.#response.end()
  }

  #release(): void {
    clearInterval(this.#timer)
    this.#gone.abort()
    this.#events.dispose()
  }

  #look(): void {
    const isSlow = this.#tick++ % SLOW_TICKS === 0
    // What has not left yet is enough for now.
    if (this.#response.writableNeedDrain) return
    const latency = isSlow ? this.#calls.takeLatency(Date.now()) : undefined
    const message: FeedMessage = {
      ...(isSlow ? this.#describe() : {}),
      ...this.#calls.takeRows(),
      ...(latency === undefined ? {} : { latency }),
      ...this.#takeLines(),
    }
    if (Object.keys(message).length > 0) this.#write(message)
    else if (++this.#quiet >= QUIET_TICKS) this.#write({})
  }

  #describe(): FeedMessage {
    const { servers, instances, server, owner, lens } = this.#topics
    const { control } = this.#host
    const statuses = servers === true || server !== undefined ? control.switchboard.status() : []
    const one = server === undefined ? undefined : findServer(statuses, server, owner)
    const attached = instances === true ? control.instances() : undefined
    // What is told is at most a second old: the answer to this question goes out with the next look.
    if (lens === true) void this.#askLens()
    const toolsChanged = this.#areToolsNew
    this.#areToolsNew = false
    return {
      ...(toolsChanged ? { toolsChanged } : {}),
      ...(servers === true ? this.#describeServers(statuses) : {}),
      ...(one !== undefined && this.#isNews('server', { ...one, uptimeMs: 0 }) ? { server: one } : {}),
      ...(lens === true && this.#isNews('lens', this.#lens) ? { lens: this.#lens } : {}),
      ...(attached !== undefined && this.#isNews('instances', attached) ? { instances: attached } : {}),
    }
  }

  #describeServers(statuses: readonly ServerStatus[]): FeedMessage {
    const rows = statuses.map(toServerRow)
    const changed = rows.filter((row) => this.#isNews(`row ${row.key}`, { ...row, uptimeMs: 0 }))
    const keys = rows.map(({ key }) => key)
    return {
      ...(changed.length === 0 ? {} : { servers: changed }),
      ...(this.#isNews('keys', keys) ? { keys } : {}),
    }
  }

  async #askLens(): Promise<void> {
    const call = { workspace: '/', signal: this.#gone.signal, progress: () => undefined }
    const asked = { of: 'lens', command: 'state', params: {} }
    const answer = await this.#host.control.switchboard.runCommand(asked, call).catch(() => ({ state: null }))
    this.#lens = isJsonObject(answer.state) ? answer.state : null
  }

  #isNews(key: string, value: unknown): boolean {
    const text = JSON.stringify(value)
    if (this.#told.get(key) === text) return false
    this.#told.set(key, text)
    return true
  }

  async #follow(asked: NonNullable<FeedTopics['logs']>): Promise<void> {
    const query = { directory: this.#host.logsDirectory, ...toLogFilters(asked) }
    try {
      for await (const line of followLogs({ ...query, signal: this.#gone.signal, pollMs: TICK_MS })) {
        if (this.#lines.length >= MOST_LOG_LINES) {
          this.#lines.shift()
          this.#skippedLines++
        }
        this.#lines.push(line)
      }
    } catch {
      // A folder that cannot be read is told to whoever asks for the lines that are there.
    }
  }

  #takeLines(): FeedMessage {
    const logs = this.#lines
    const skippedLogs = this.#skippedLines
    if (logs.length === 0) return {}
    this.#lines = []
    this.#skippedLines = 0
    return skippedLogs === 0 ? { logs } : { logs, skippedLogs }
  }

  #write(message: FeedMessage): void {
    this.#quiet = 0
    if (!this.#response.writableEnded) this.#response.write(`${toShownJson(message)}\n`)
  }
}
