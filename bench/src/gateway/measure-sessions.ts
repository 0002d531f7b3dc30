/**
 * What idle sessions cost our process. Garbage is collected through the inspector until the size stands still, so that
 * what is measured is what is kept.
 */
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Programs } from '../build-programs.ts'
import { RawHttpClient } from '../drivers/raw-http-client.ts'
import type { Contender } from './contender.ts'

export interface SessionsRow {
  readonly sessions: number
  readonly rssMB: number
  readonly heapMB: number
}

export interface SessionsResult {
  /** Whether every session has an open GET stream, and so a connection of its own. */
  readonly hasStream: boolean
  readonly rows: readonly SessionsRow[]
  /** Between the smallest and the largest number of sessions. */
  readonly rssKBPerSession: number
  readonly heapKBPerSession: number
}

export interface SessionsOptions {
  readonly programs: Programs
  readonly ours: Contender
  readonly sizes: readonly number[]
}

/** Opened and left before the first measurement, so that code and buffers of the first are not counted as a session. */
const WARM_UP_SESSIONS = 20
const OPENED_AT_ONCE = 16

export async function measureSessions(options: SessionsOptions, hasStream: boolean): Promise<SessionsResult> {
  const { programs, ours, sizes } = options
  const folder = await programs.createFolder()
  await using gateway = await ours.start({ programs, folder, upstreams: 1, nodeOptions: ['--inspect=127.0.0.1:0'] })
  using inspector = await Inspector.connect(await gateway.program.waitForOutput(/Debugger listening on (ws:\S+)/))
  using agents = new SharedAgents()
  await openSessions(gateway.url, WARM_UP_SESSIONS, hasStream, agents)
  const rows: SessionsRow[] = []
  let open = 0
  for (const sessions of sizes) {
    await openSessions(gateway.url, sessions - open, hasStream, agents)
    open = sessions
    rows.push({ sessions, ...(await inspector.measure()) })
  }
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (first === undefined || last === undefined) throw new Error('No number of sessions was asked for.')
  const perSession = (of: (row: SessionsRow) => number): number =>
    ((of(last) - of(first)) * 1000) / Math.max(1, last.sessions - first.sessions)
  return {
    hasStream,
    rows,
    rssKBPerSession: perSession(({ rssMB }) => rssMB),
    heapKBPerSession: perSession(({ heapMB }) => heapMB),
  }
}

/** Requests share connections, as they do behind a proxy; a stream has one for as long as it is open. */
class SharedAgents implements Disposable {
  readonly requests = new Agent({ keepAlive: true, maxSockets: OPENED_AT_ONCE })
  readonly streams = new Agent({ keepAlive: false });

  [Symbol.dispose](): void {
    this.requests.destroy()
    this.streams.destroy()
  }
}

async function openSessions(url: string, count: number, hasStream: boolean, agents: SharedAgents): Promise<void> {
  let left = count
  const open = async (): Promise<void> => {
    while (left-- > 0) {
      const client = new RawHttpClient(url, { agent: agents.requests, streamAgent: agents.streams })
      await client.initialize()
      await client.request('tools/list', {})
      if (hasStream) await client.listen()
    }
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open))
}

interface InspectorAnswer {
  readonly id?: number
  readonly result?: { readonly result?: { readonly value?: unknown } }
}

class Inspector implements Disposable {
  readonly #socket: WebSocket
  #nextId = 1

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url)
    await once(socket, 'open')
    return new Inspector(socket)
  }

  /** After collecting until two sizes in a row are close. */
  async measure(): Promise<{ rssMB: number; heapMB: number }> {
    let last = Number.POSITIVE_INFINITY
    for (let round = 0; ; round++) {
      await this.#send('HeapProfiler.collectGarbage', {})
      await delay(100)
      const { rss, heapUsed } = await this.#readMemory()
      if (round >= 20 || (round >= 2 && Math.abs(last - rss) < 128 * 1024)) {
        return { rssMB: rss / 1e6, heapMB: heapUsed / 1e6 }
      }
      last = rss
    }
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }

  async #readMemory(): Promise<{ rss: number; heapUsed: number }> {
    const expression = 'JSON.stringify(process.memoryUsage())'
    const { result } = await this.#send('Runtime.evaluate', { expression, returnByValue: true })
    return JSON.parse(String(result?.result?.value)) as { rss: number; heapUsed: number }
  }

  async #send(method: string, params: object): Promise<InspectorAnswer> {
    const id = this.#nextId++
    const { promise, resolve, reject } = Promise.withResolvers<InspectorAnswer>()
    const onMessage = (event: MessageEvent): void => {
      const answer = JSON.parse(String(event.data)) as InspectorAnswer
      if (answer.id === id) resolve(answer)
    }
    const onClose = (): void => reject(new Error('The inspected process is gone.'))
    this.#socket.addEventListener('message', onMessage)
    this.#socket.addEventListener('close', onClose)
    this.#socket.send(JSON.stringify({ id, method, params }))
    try {
      return await promise
    } finally {
      this.#socket.removeEventListener('message', onMessage)
      this.#socket.removeEventListener('close', onClose)
    }
  }
}
