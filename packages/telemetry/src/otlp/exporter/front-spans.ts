/**
 * The part of a call that its front has measured. The front is another process, which holds no exporter: it tells when it read the
 * request and wrote the answer, by the clock that both processes share, and its span is made here, above that of the gateway.
 * Without its word there is none: a span that nobody measured would be made up.
 */
import { machineTime } from '@switchboard/base'
import type { RequestId } from '@switchboard/protocol'
import type { FrontTime } from '../load-exporter.ts'
import type { RecordedSpan } from './recorded-span.ts'

interface Awaited {
  readonly instance: string
  readonly front: RecordedSpan
  readonly gateway: RecordedSpan
  /** Once it was told. */
  time?: { readonly begun: number; readonly ended: number }
}

/** Fronts tell a few times a second; one that is gone tells nothing more. */
const PATIENCE_MS = 30_000
const MOST_AWAITED = 10_000

export class FrontSpans {
  readonly #awaited = new Map<string, Awaited[]>()
  readonly #onComplete: (front: RecordedSpan) => void
  #count = 0

  constructor(onComplete: (front: RecordedSpan) => void) {
    this.#onComplete = onComplete
  }

  await(instance: string, id: RequestId, front: RecordedSpan, gateway: RecordedSpan): void {
    if (this.#count >= MOST_AWAITED) return
    const key = keyOf(instance, id)
    const awaited = this.#awaited.get(key)
    if (awaited === undefined) this.#awaited.set(key, [{ instance, front, gateway }])
    else awaited.push({ instance, front, gateway })
    this.#count++
  }

  note(instance: string, { id, begun, ended }: FrontTime): void {
    const key = keyOf(instance, id)
    const shift = machineTime(0)
    const time = { begun: begun - shift, ended: ended - shift }
    // An id may be used again: it is the request that came in while the front had it.
    const found = this.#awaited
      .get(key)
      ?.find(
        ({ gateway, time: told }) => told === undefined && gateway.begun >= time.begun && gateway.begun <= time.ended,
      )
    if (found === undefined) return
    found.time = time
    if (found.gateway.ended !== undefined) this.#complete(key, found)
  }

  /** The gateway is done with it. */
  onEnded(instance: string, id: RequestId, gateway: RecordedSpan): void {
    const key = keyOf(instance, id)
    const found = this.#awaited.get(key)?.find((awaited) => awaited.gateway === gateway)
    if (found?.time !== undefined) this.#complete(key, found)
  }

  /** Gives up those whose front has said nothing. */
  sweep(now: number = performance.now()): void {
    for (const [key, awaited] of this.#awaited) {
      for (const one of [...awaited]) {
        const { ended } = one.gateway
        if (ended !== undefined && now - ended > PATIENCE_MS) this.#remove(key, one)
      }
    }
  }

  #complete(key: string, awaited: Awaited): void {
    this.#remove(key, awaited)
    const { front, gateway, time } = awaited
    if (time === undefined) return
    front.attributes = { ...gateway.attributes, ...front.attributes }
    front.failure = gateway.failure
    front.name = gateway.name
    front.begun = time.begun
    front.ended = time.ended
    this.#onComplete(front)
  }

  #remove(key: string, awaited: Awaited): void {
    const list = this.#awaited.get(key)
    if (list === undefined) return
    list.splice(list.indexOf(awaited), 1)
    this.#count--
    if (list.length === 0) this.#awaited.delete(key)
  }
}

const keyOf = (instance: string, id: RequestId): string => `${instance}\0${typeof id}\0${String(id)}`
