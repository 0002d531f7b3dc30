/**
 * The redirect address of one login: a port of 127.0.0.1 that listens for as long as the login takes. Any program and any web page
 * of the machine can ask it, so whoever does not bring the secret of the login (`state`) learns nothing and changes nothing.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorCode } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type CallbackVerdict, PAGE_HEADERS, renderCallbackPage } from './callback-page.ts'

const PATH = '/callback'

export interface CallbackOptions {
  /** Undefined: any that is free. */
  readonly port: number | undefined
  /** No other will do. */
  readonly isFixed: boolean
  onAnswer(answer: URLSearchParams): Promise<CallbackVerdict>
}

export class CallbackListener {
  readonly redirectUri: string
  readonly #server: Server

  private constructor(server: Server, port: number) {
    this.#server = server
    this.redirectUri = `http://127.0.0.1:${port}${PATH}`
  }

  /** Rejects with `login_failed` when the only port that will do is taken. */
  static async open(options: CallbackOptions): Promise<CallbackListener> {
    const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 32 * 1024 }, (request, response) => {
      void answer(request, response, options)
    })
    server.maxConnections = 20
    try {
      await listen(server, options.port ?? 0)
    } catch (error) {
      if (options.port === undefined) throw error
      if (options.isFixed) {
        const why = errorCode(error) ?? String(error)
        throw new SwitchboardError(
          'login_failed',
          `The port ${options.port} of "oauth.redirectPort" cannot be had: ${why}`,
          {
            hint: 'End the program that has it, or register another port and set that.',
          },
        )
      }
      await listen(server, 0)
    }
    // Bound to a TCP port, so its address is one.
    const { port } = server.address() as AddressInfo
    return new CallbackListener(server, port)
  }

  /** What is just being answered is answered. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeIdleConnections()
    const timer = setTimeout(() => this.#server.closeAllConnections(), 1_000)
    await closed
    clearTimeout(timer)
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { onAnswer }: CallbackOptions,
): Promise<void> {
  const { localPort } = request.socket
  const url = URL.parse(request.url ?? '', `http://127.0.0.1:${localPort}`)
  // Under another name it is a page that was led here.
  const isOurs = request.headers.host === `127.0.0.1:${localPort}` && request.method === 'GET' && url?.pathname === PATH
  const verdict: CallbackVerdict = isOurs && url !== null ? await onAnswer(url.searchParams) : { kind: 'unknown' }
  const { status, html } = renderCallbackPage(verdict)
  response.writeHead(status, PAGE_HEADERS).end(html)
}
