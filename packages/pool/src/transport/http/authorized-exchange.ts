/**
 * A request to a server that may want a login: sent with the token there is, and once more when that was renewed after a refusal.
 * Whoever listens hears of the last answer alone. A refused request was never taken, so it may be sent again whatever it is.
 */
import type { Authorization } from '../../oauth/upstream-login.ts'
import { BodyCollector } from './body-collector.ts'
import type { HttpExchange, HttpRequest, HttpSink } from './http-client.ts'
import { type HttpHeaders, headerText } from './http-headers.ts'

const MAX_TRIES = 3
/** Of an answer that refuses. */
const MAX_BODY_BYTES = 1024 * 1024

interface Refused {
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: BodyCollector
}

export class AuthorizedExchange implements HttpExchange, HttpSink {
  readonly #authorization: Authorization
  readonly #request: HttpRequest
  readonly #sink: HttpSink
  readonly #send: (request: HttpRequest, sink: HttpSink) => HttpExchange
  #exchange: HttpExchange | undefined
  #used: string | undefined
  #refused: Refused | undefined
  #tries = 0
  #over = false

  constructor(
    authorization: Authorization,
    request: HttpRequest,
    sink: HttpSink,
    send: (request: HttpRequest, sink: HttpSink) => HttpExchange,
  ) {
    this.#authorization = authorization
    this.#request = request
    this.#sink = sink
    this.#send = send
    const header = authorization.authorize()
    if (typeof header === 'object') this.#sendOnce(header)
    else this.#dispatch(header)
  }

  abort(): void {
    this.#over = true
    this.#exchange?.abort()
  }

  onHeaders(status: number, headers: HttpHeaders): void {
    if (this.#over) return
    const isLast = this.#tries === MAX_TRIES
    if (!isLast && this.#authorization.concerns(status, headerText(headers, 'www-authenticate'))) {
      this.#refused = { status, headers, body: new BodyCollector(MAX_BODY_BYTES) }
    } else this.#sink.onHeaders(status, headers)
  }

  onData(chunk: Buffer): void {
    if (this.#over) return
    const refused = this.#refused
    if (refused === undefined) this.#sink.onData(chunk)
    else if (!refused.body.add(chunk)) {
      this.#exchange?.abort()
      this.#judge(refused)
    }
  }

  onEnd(): void {
    if (this.#over) return
    if (this.#refused === undefined) this.#sink.onEnd()
    else this.#judge(this.#refused)
  }

  onError(error: Error): void {
    if (this.#over) return
    if (this.#refused === undefined) this.#sink.onError(error)
    else this.#judge(this.#refused)
  }

  #judge(refused: Refused): void {
    const { status, headers } = refused
    this.#refused = undefined
    const challenge = headerText(headers, 'www-authenticate')
    this.#authorization.refused({ status, challenge, used: this.#used }).then(
      (header) => {
        if (this.#over) return
        if (header === undefined) this.#pass(refused)
        else this.#dispatch(header)
      },
      (error: unknown) => this.#fail(error),
    )
  }

  #pass({ status, headers, body }: Refused): void {
    this.#sink.onHeaders(status, headers)
    this.#sink.onData(Buffer.from(body.text()))
    this.#sink.onEnd()
  }

  #sendOnce(known: Promise<string | undefined>): void {
    known.then(
      (header) => {
        if (!this.#over) this.#dispatch(header)
      },
      (error: unknown) => this.#fail(error),
    )
  }

  #dispatch(header: string | undefined): void {
    this.#tries += 1
    this.#used = header
    const { headers } = this.#request
    const request =
      header === undefined ? this.#request : { ...this.#request, headers: { ...headers, authorization: header } }
    this.#exchange = this.#send(request, this)
    if (this.#over) this.#exchange.abort()
  }

  #fail(error: unknown): void {
    if (!this.#over) this.#sink.onError(error instanceof Error ? error : new Error(String(error)))
  }
}
