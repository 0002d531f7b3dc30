/**
 * The redirect address of one login: a port of this machine alone that listens for as long as the login takes. Any program and any web page
 * of the machine can ask it, so whoever does not bring the secret of the login (`state`) learns nothing and changes nothing.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorCode } from '@switchboard/base'
import type { RedirectPlace } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type CallbackVerdict, PAGE_HEADERS, renderCallbackPage } from './callback-page.ts'

const PATH = '/callback'
/** A browser takes `localhost` for the newer address first, and another program could have the port there. */
const ADDRESSES = { '127.0.0.1': ['127.0.0.1'], localhost: ['127.0.0.1', '::1'] } as const
/** A machine without IPv6 says one of these. */
const MISSING: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

export interface CallbackOptions extends RedirectPlace {
  onAnswer(answer: URLSearchParams): Promise<CallbackVerdict>
}

export class CallbackListener {
  readonly redirectUri: string
  readonly #servers: readonly Server[]

  private constructor(servers: readonly Server[], redirectUri: string) {
    this.#servers = servers
    this.redirectUri = redirectUri
  }

  /** Rejects with `login_failed` when the only port that will do is taken. */
  static async open(options: CallbackOptions): Promise<CallbackListener> {
    const { port } = options
    try {
      return await CallbackListener.#listen(options, port ?? 0)
    } catch (error) {
      if (port !== undefined && options.isFixed) {
        const why = errorCode(error) ?? String(error)
        throw new SwitchboardError('login_failed', `The port ${port} of "oauth.redirectPort" cannot be had: ${why}`, {
          hint: 'End the program that has it, or register another port and set that.',
        })
      }
      if (port === undefined && options.host === '127.0.0.1') throw error
      return CallbackListener.#listen(options, 0)
    }
  }

  static async #listen(options: CallbackOptions, port: number): Promise<CallbackListener> {
    const servers: Server[] = []
    let taken = port
    try {
      for (const address of ADDRESSES[options.host]) {
        const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 32 * 1024 }, (request, response) => {
          void answer(request, response, options)
        })
        server.maxConnections = 20
        server.listen(taken, address)
        try {
          await once(server, 'listening')
        } catch (error) {
          if (servers.length > 0 && MISSING.has(errorCode(error))) continue
          throw error
        }
        servers.push(server)
        // Bound to a TCP port, so its address is one.
        taken = (server.address() as AddressInfo).port
      }
    } catch (error) {
      for (const server of servers) server.close()
      throw error
    }
    return new CallbackListener(servers, `http://${options.host}:${taken}${PATH}`)
  }

  /** What is just being answered is answered. */
  async close(): Promise<void> {
    const closed = Promise.all(
      this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    )
    for (const server of this.#servers) server.closeIdleConnections()
    const timer = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections()
    }, 1_000)
    await closed
    clearTimeout(timer)
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { host, onAnswer }: CallbackOptions,
): Promise<void> {
  const { localPort } = request.socket
  const url = URL.parse(request.url ?? '', `http://127.0.0.1:${localPort}`)
  // Under another name it is a page that was led here.
  const isOurs = request.headers.host === `${host}:${localPort}` && request.method === 'GET' && url?.pathname === PATH
  const verdict: CallbackVerdict = isOurs && url !== null ? await onAnswer(url.searchParams) : { kind: 'unknown' }
  const { status, html } = renderCallbackPage(verdict)
  response.writeHead(status, PAGE_HEADERS).end(html)
}
