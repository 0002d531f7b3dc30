/**
 * One connection to one server, below the protocol: bytes in, parsed messages out. A transport knows framing and
 * its own death; it knows nothing of calls, eras' meaning, restarts or catalogs.
 *
 * Invariants
 * 1. `onClosed` is called exactly once when the far side ends, also with nothing in flight, and never after `close()` was called.
 * 2. After `onClosed` only `onOutput` may still be called (last words), and nothing after the promise of `close()` has settled.
 * 3. Messages of one stream are delivered in the order in which they arrived, synchronously while reading.
 * 4. What is not the protocol never disturbs it: it goes to `onOutput`.
 */
import type { Era, JsonRpcMessage, RequestId } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'

export type TransportKind = 'stdio' | 'http' | 'sse' | 'websocket'

/** Why a transport is over. `message` is a sentence for a person. */
export interface ClosedInfo {
  readonly reason:
    | 'exit'
    | 'closed'
    | 'network'
    | 'session_expired'
    | 'not_installed'
    | 'spawn_failed'
    | 'auth_required'
  readonly message: string
  readonly exitCode?: number | null
  readonly exitSignal?: NodeJS.Signals | null
  readonly cause?: unknown
}

export interface TransportHandlers {
  /**
   * One parsed JSON value that is an object (a batch is delivered one by one). `origin` is the id of that request of
   * ours on whose response stream it came, where the transport can tell (Streamable HTTP).
   */
  onMessage(message: unknown, origin?: RequestId): void
  /** A line that is not the protocol: the server's own output. */
  onOutput(stream: 'stdout' | 'stderr', line: string): void
  /** A message over the limit was thrown away unread. `id`: of what it answers; null for nothing, undefined where that cannot be told. */
  onOversized(id: RequestId | null | undefined, bytes: number): void
  /** Asked of a large message before it is parsed. True: it is thrown away, and told by `onOversized`. */
  isTooLarge(id: RequestId | null | undefined, bytes: number): boolean
  /** A message nested deeper than the bound was thrown away unparsed. `id`: the same. */
  onTooDeep(id: RequestId | null | undefined): void
  /** That request will get no answer, though the connection lives on (an HTTP status, a broken response stream). */
  onRequestFailed(id: RequestId, error: SwitchboardError): void
  onClosed(info: ClosedInfo): void
}

export interface SendOptions {
  /** Extra HTTP headers for this message (modern era); other transports ignore them. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface UpstreamTransport {
  readonly kind: TransportKind
  /** Of the child, for stdio. */
  readonly pid: number | undefined
  /** Whether the far side's death is noticed by itself while nothing is in flight. */
  readonly noticesExit: boolean
  /** Synchronous and cheap: spawns or begins to connect. Failures arrive at `onClosed`. */
  open(handlers: TransportHandlers): void
  send(message: JsonRpcMessage, options?: SendOptions): void
  /** Ends waiting for the answer of a request: closes its response stream where it has one of its own. */
  abandon(id: RequestId): void
  /** Called once, when the handshake has settled them: from here on headers and streams follow that era. */
  setProtocol(era: Era, version: string): void
  /** Orderly stop. `force` skips all grace. Resolves when nothing of it is left. A second call with force speeds the first up. */
  close(options?: CloseOptions): Promise<void>
}

export interface CloseOptions {
  /** restart: SIGTERM at once and 1 s of grace. stop: stdin end, 2 s, SIGTERM, 2 s. */
  readonly manner?: 'stop' | 'restart'
  readonly force?: boolean
}

/** 64 MiB: the most one message may hold, in bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
