/**
 * Everything below `/dashboard`: the page, which holds nothing that is anybody's, and what it asks, which only a session gets.
 * Host and Origin were checked before (`host-check.ts` of the gateway). Here nothing but our own origin counts, whatever
 * `gateway.allowedOrigins` says, and nothing but POST does anything.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { systemClock } from '@switchboard/base'
import { readObject, readText } from '@switchboard/config/arguments'
import { type AccessPolicy, type CallReport, createOwnPeerCheck, WrongTokens } from '@switchboard/gateway'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { parsePlainJson } from '@switchboard/protocol/framing'
import type { Logger } from '@switchboard/telemetry'
import { toFailure } from './call-tool.ts'
import { DashboardAccess } from './dashboard-access.ts'
import { DashboardFeed } from './dashboard-feed.ts'
import { createDashboardMethods, type DashboardHost, type DashboardMethod } from './dashboard-methods.ts'
import { type DashboardPage, readDashboardPage, SAFE_HEADERS } from './dashboard-page.ts'
import { readTopics } from './read-topics.ts'
import { toShownJson } from './shown-json.ts'

const DASHBOARD_PATH = '/dashboard'
const API = `${DASHBOARD_PATH}/api/`
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Of one daemon; a page has one. */
const MOST_FEEDS = 32

export interface DashboardOptions extends DashboardHost {
  readonly log: Logger
  /** Who comes in over HTTP without a credential. */
  policy(): AccessPolicy | undefined
}

export class Dashboard {
  readonly #options: DashboardOptions
  readonly #access = new DashboardAccess()
  readonly #wrong = new WrongTokens(systemClock)
  readonly #isOwnPeer = createOwnPeerCheck()
  readonly #methods: Readonly<Record<string, DashboardMethod>>
  readonly #feeds = new Set<DashboardFeed>()
  #page: Promise<DashboardPage> | undefined

  constructor(options: DashboardOptions) {
    this.#options = options
    this.#methods = createDashboardMethods(options)
  }

  /** Good once. `url`: of the HTTP door, without a path. */
  createLink(url: string): string {
    return `${url}${DASHBOARD_PATH}#enter=${this.#access.createLink()}`
  }

  /** While nobody looks a call costs the question whether somebody does. */
  note(report: CallReport): void {
    if (this.#feeds.size === 0) return
    for (const feed of this.#feeds) feed.note(report)
  }

  /** True: it is answered here. */
  handle(request: IncomingMessage, response: ServerResponse, url: string): boolean {
    const [path = ''] = url.split('?', 1)
    if (path !== DASHBOARD_PATH && !path.startsWith(`${DASHBOARD_PATH}/`)) return false
    // Set for origins that are allowed elsewhere.
    response.removeHeader('access-control-allow-origin')
    this.#answer(request, response, path).catch((thrown: unknown) => this.#refuse(response, thrown))
    return true
  }

  async #answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    throwOnForeignPage(request)
    const isGet = request.method === 'GET' || request.method === 'HEAD'
    if (path === DASHBOARD_PATH && isGet) return this.#sendPage(request, response)
    if (path === `${DASHBOARD_PATH}/` && isGet) {
      response.writeHead(308, { ...SAFE_HEADERS, location: DASHBOARD_PATH, 'content-length': 0 }).end()
      return
    }
    if (!path.startsWith(API)) throw createMissing(path)
    if (request.method !== 'POST') throw new SwitchboardError('invalid_request', 'Only POST is served here')
    const method = path.slice(API.length)
    if (method === 'enter') return this.#enter(request, response)
    const session = readBearer(request)
    if (session === undefined || !this.#access.isSession(session)) return this.#refuseStranger(request, response)
    await this.#serve(method, session, request, response)
  }

  async #sendPage({ headers, method }: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#page ??= readDashboardPage()
    const page = await this.#page.catch((error: unknown) => {
      this.#page = undefined
      throw error
    })
    const isGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
    const body = isGzip ? page.gzipped : page.plain
    const encoding = isGzip ? { 'content-encoding': 'gzip' } : {}
    response.writeHead(200, { ...page.headers, ...encoding, 'content-length': body.length })
    response.end(method === 'HEAD' ? undefined : body)
  }

  async #enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const link = readText(await readBody(request), 'link', 'enter')
    // A link may be seen by others, on the command line of a browser: where the system can tell whose a connection is, it must.
    if (process.platform === 'linux' && this.#options.policy() === 'user' && !(await this.#isOwnPeer(request.socket))) {
      return this.#refuseStranger(request, response)
    }
    const session = this.#access.enter(link)
    if (session === undefined) return this.#refuseStranger(request, response)
    this.#options.log.info('dashboard.enter', 'a link of the dashboard was used')
    send(response, 200, { session })
  }

  async #serve(method: string, session: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const params = await readBody(request)
    if (method === 'leave') {
      this.#access.leave(session)
      send(response, 200, {})
      return
    }
    if (method === 'feed') {
      this.#openFeed(params, response)
      return
    }
    const run = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined
    if (run === undefined) throw createMissing(`${API}${method}`)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    send(response, 200, await run(params, gone.signal))
  }

  #openFeed(params: JsonObject, response: ServerResponse): void {
    const topics = readTopics(readObject(params, 'topics', 'feed'))
    const { control, places } = this.#options
    const [oldest] = this.#feeds
    if (this.#feeds.size >= MOST_FEEDS) oldest?.end()
    response.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' })
    const feed: DashboardFeed = new DashboardFeed({ control, logsDirectory: places.logs }, topics, response, () =>
      this.#feeds.delete(feed),
    )
    this.#feeds.add(feed)
  }

  /** The same for every reason: who guesses learns nothing, and later the more they do. */
  async #refuseStranger(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isHeld = await this.#wrong.hold(request.socket.remoteAddress ?? '')
    const error = new SwitchboardError('unauthorized', 'This needs a link that was not used before', {
      hint: 'switchboard dashboard opens a new one.',
    })
    send(response, isHeld ? 401 : 429, { error: toFailure(error) })
  }

  #refuse(response: ServerResponse, thrown: unknown): void {
    const error = toSwitchboardError(thrown)
    if (error.family === 'ours') this.#options.log.error('dashboard', error.message, { stack: error.stack })
    send(response, error.httpStatus, { error: toFailure(error) })
  }
}

/** A browser says where a page is from; one of our own is from this very host and port. */
function throwOnForeignPage({ headers }: IncomingMessage): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`
  const isNear = site === undefined || site === 'same-origin' || (site === 'none' && origin === undefined)
  if (!isOwn || !isNear) throw new SwitchboardError('forbidden', 'No page but the dashboard itself may ask this')
}

function readBearer({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  return /^Bearer ([\w-]{1,100})$/.exec(authorization)?.[1]
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  // A form of another page cannot say so.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw new SwitchboardError('invalid_request', 'The body has to be application/json')
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    // Nothing was set to decode it.
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > MAX_BODY_BYTES)
      throw new SwitchboardError('request_too_large', `The body is over ${MAX_BODY_BYTES} bytes`)
  }
  let value: unknown
  try {
    value = parsePlainJson(Buffer.concat(chunks).toString())
  } catch (error) {
    throw new SwitchboardError('invalid_request', 'The body is no JSON that can be read', { cause: error })
  }
  if (!isJsonObject(value)) throw new SwitchboardError('invalid_request', 'The body has to be an object')
  return value
}

function createMissing(path: string): SwitchboardError {
  return new SwitchboardError('unknown_method', `Nothing is served at ${path.slice(0, 200)}`)
}

function send(response: ServerResponse, status: number, value: object): void {
  if (response.destroyed || response.headersSent) return
  const body = Buffer.from(toShownJson(value))
  response.writeHead(status, { ...SAFE_HEADERS, 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}
