/** What the agent says while there is no daemon to hear it, in order. Bounded: whoever fills it stops reading. */
import { type OpenRequest, ownCopy } from './ledger.ts'

export interface HeldLine {
  readonly line: Buffer
  /** Of a request; the others want no answer. */
  readonly request: OpenRequest | undefined
}

/** Agents say little before they hear something; one large message alone may be larger than this. */
const MAX_BYTES = 1024 * 1024

export class HeldLines {
  #lines: HeldLine[] = []
  #bytes = 0

  get isFull(): boolean {
    return this.#bytes > MAX_BYTES
  }

  get hasRequest(): boolean {
    return this.#lines.some(({ request }) => request !== undefined)
  }

  add(line: Buffer, request?: HeldLine['request']): void {
    this.#lines.push({ line: ownCopy(line), request })
    this.#bytes += line.length
  }

  /** A request that its sender cancelled is not sent at all. */
  removeRequest(id: unknown): boolean {
    const index = this.#lines.findIndex(({ request }) => request?.id === id && request !== undefined)
    const [removed] = index < 0 ? [] : this.#lines.splice(index, 1)
    this.#bytes -= removed?.line.length ?? 0
    return removed !== undefined
  }

  takeAll(): HeldLine[] {
    const lines = this.#lines
    this.#lines = []
    this.#bytes = 0
    return lines
  }
}
