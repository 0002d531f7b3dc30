/** What the benchmark and its driver processes say to each other over Node's IPC channel. */

export interface ServerCommand {
  readonly command: string
  readonly args: string[]
}

/** How a driver reaches its echo server. `folder` is for logs and what the pool remembers. */
export type DriverSetup =
  | { readonly kind: 'bare'; readonly server: ServerCommand; readonly era?: 'modern' }
  | { readonly kind: 'sdk'; readonly server: ServerCommand }
  | { readonly kind: 'pool'; readonly server: ServerCommand; readonly concurrency?: number; readonly folder: string }
  | { readonly kind: 'http-bare'; readonly url: string; readonly era: 'legacy' | 'modern' }
  | { readonly kind: 'http-pool'; readonly url: string; readonly folder: string }
  | { readonly kind: 'gateway-raw'; readonly url: string; readonly era: 'legacy' | 'modern' }
  /** Calls nobody: computes for about as long as a call takes, again and again. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'gateway-sdk'; readonly url: string; readonly transport: 'http' | 'sse' }

/** So many calls with so many at once, each with a text of so many bytes. */
export interface BatchRequest {
  readonly calls: number
  /** No call is begun after it, even when fewer were made. */
  readonly maxMs?: number
  readonly concurrency: number
  readonly bytes: number
}

export interface BatchResult {
  /** Milliseconds of every call, in no particular order. */
  readonly latencies: Float64Array
  readonly elapsedMs: number
  /** Of the driver's process alone, all its threads. */
  readonly cpuMs: number
}

export type DriverMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'ran'; readonly result: BatchResult }
  | { readonly type: 'failed'; readonly message: string; readonly missing: boolean }

/** What a fleet process does: start so many servers one way or the other, say how long it took, then how large it is. */
export interface FleetSetup {
  readonly kind: 'empty' | 'pool' | 'bare'
  readonly servers: number
  readonly server: ServerCommand
  readonly folder: string
  /** Without it only the start is measured. */
  readonly measureMemory: boolean
}

export interface FleetResult {
  readonly startMs: number
  readonly rssBytes: number
  readonly heapBytes: number
}
