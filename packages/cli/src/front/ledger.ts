/**
 * The agent's requests that are under way at the daemon, and what is to become of each when the daemon is gone: a request
 * that changes nothing is kept and sent again, any other is answered, because nobody can say how far it came. A call of a tool that
 * only reads is sent again once: it may be what the daemon died of.
 */
import type { RequestId } from '@switchboard/protocol'
import { LISTEN_METHOD } from '@switchboard/protocol/modern'

/** A request of the agent that somebody has to answer. */
export interface OpenRequest {
  readonly id: RequestId
  readonly method: string
  /** When it came, by `performance.now()`. */
  readonly begun: number
}

export interface LedgerEntry extends OpenRequest {
  /** Of one that may be sent again. */
  readonly line: Buffer | undefined
  /** It was under way at a daemon before. */
  readonly isRepeated?: boolean
}

const REPEATABLE: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/list',
  'skills/list',
  LISTEN_METHOD,
])

const CALL_METHOD = 'tools/call'
/** A longer call is not kept. */
const MAX_CALL_BYTES = 16_384

export class Ledger {
  readonly #pending = new Map<RequestId, LedgerEntry>()

  get size(): number {
    return this.#pending.size
  }

  add({ id, method, begun }: OpenRequest, line: Buffer): void {
    this.#pending.set(id, {
      id,
      method,
      line: isKept(method, line) ? ownCopy(line) : undefined,
      begun,
    })
  }

  find(id: RequestId): LedgerEntry | undefined {
    return this.#pending.get(id)
  }

  remove(id: RequestId): boolean {
    return this.#pending.delete(id)
  }

  /** Takes out those that cannot be sent again. `mayRepeat`: of a call. */
  takeLost(mayRepeat: (line: Buffer) => boolean): LedgerEntry[] {
    const lost = this.#take(({ method, line, isRepeated }) => {
      if (line === undefined) return true
      return method === CALL_METHOD && (isRepeated === true || !mayRepeat(line))
    })
    for (const [id, entry] of this.#pending)
      if (entry.method === CALL_METHOD) this.#pending.set(id, { ...entry, isRepeated: true })
    return lost
  }

  /** Takes out those whose sender waits for the answer; a stream that listens waits for no end. */
  takeWaiting(): LedgerEntry[] {
    return this.#take(({ method }) => method !== LISTEN_METHOD)
  }

  /** In the order in which they came. */
  repeatable(): { readonly id: RequestId; readonly method: string; readonly line: Buffer }[] {
    return [...this.#pending.values()].flatMap(({ id, method, line }) =>
      line === undefined ? [] : [{ id, method, line }],
    )
  }

  #take(fits: (request: LedgerEntry) => boolean): LedgerEntry[] {
    const taken = [...this.#pending.values()].filter(fits)
    for (const { id } of taken) this.#pending.delete(id)
    return taken
  }
}

function isKept(method: string, line: Buffer): boolean {
  return REPEATABLE.has(method) || (method === CALL_METHOD && line.length <= MAX_CALL_BYTES)
}

/** A short line is a window on a chunk of many; kept as it is, it would keep all of them. */
export function ownCopy(line: Buffer): Buffer {
  return line.length * 2 < line.buffer.byteLength ? Buffer.from(line) : line
}
