/** The way to a Switchboard: the daemon's socket (`socket-link.ts`), or memory, where it runs in this process (`memory-link.ts`). */
import type { Duplex } from 'node:stream'
import type { Disposable } from '@switchboard/base'
import type { ControlMethod } from '@switchboard/daemon/client'
import type { JsonObject } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { AttachParams } from '@switchboard/protocol/ipc'

export interface LinkRequestOptions {
  readonly signal?: AbortSignal
  /** Milliseconds. */
  readonly timeout: number
  readonly onProgress?: (progress: JsonObject) => void
}

export interface SwitchboardLink {
  /** Resolves when the other side is gone by itself. */
  readonly lost: Promise<SwitchboardError>
  /** Returns at once; servers that wait for nothing come up in the background, unless they have already. */
  start(): void
  request<T extends object>(method: ControlMethod, params: JsonObject, options: LinkRequestOptions): Promise<T>
  /** What is heard is a daemon's event; see `read-daemon-event.ts`. */
  onEvent(listener: (event: unknown) => void): Disposable
  /** Every line on the stream is MCP. */
  attach(params: AttachParams, options: LinkRequestOptions): Promise<Duplex>
  /** What was started for this link is not alive afterwards. */
  close(options: { force: boolean }): Promise<void>
}
