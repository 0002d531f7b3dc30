/**
 * How long the front had each request: told to a daemon that wants it for the spans of calls, a few times a second at most. Nobody
 * else measures what happens here before the daemon hears of a request, and after it has answered.
 */
import { machineTime } from '@switchboard/base'
import { createNotification, type RequestId } from '@switchboard/protocol'
import { encodeMessage } from '@switchboard/protocol/framing'
import { FRONT_TIMES_METHOD } from '@switchboard/protocol/ipc'

const GATHER_MS = 50
/** A line of them stays small. */
const MOST_AT_ONCE = 500

export class FrontTimes {
  readonly #send: (line: string) => void
  #times: [id: RequestId, begun: number, ended: number][] = []
  #timer: NodeJS.Timeout | undefined

  constructor(send: (line: string) => void) {
    this.#send = send
  }

  /** The request is over here. `begun`: by `performance.now()`. */
  note(id: RequestId, begun: number): void {
    const ended = machineTime()
    this.#times.push([id, machineTime(begun), ended])
    if (this.#times.length >= MOST_AT_ONCE) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#times.length === 0) return
    // Their types are those of JSON: numbers, texts and ids.
    this.#send(encodeMessage(createNotification(FRONT_TIMES_METHOD, { times: this.#times })))
    this.#times = []
  }
}
