/** Everything the command touches of the world around it, so that a test can run it in its own process. */
import { SwitchboardError } from '@switchboard/protocol/errors'

export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

export type InputStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
}

export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Why a run is to end early. */
export type Interruption =
  | { readonly kind: 'signal'; readonly signal: InterruptSignal }
  /** Whoever read our output has gone (`| head`). */
  | { readonly kind: 'broken_pipe' }
  | { readonly kind: 'crash'; readonly error: unknown }

export interface Io {
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted by the first interruption; its reason is an `Interruption`. */
  readonly signal: AbortSignal
  /** Aborted by the second one: nothing is waited for any more. */
  readonly force: AbortSignal
  /** What Ctrl-C does; for those who read the keyboard raw, where Ctrl-C is just a key. */
  interrupt(interruption: Interruption): void
  /** For a daemon: an error that nobody catches is told, and the process goes on. See stray-errors.ts. */
  surviveStrays(report: (error: unknown) => void): void
}

export function readInterruption(signal: AbortSignal): Interruption | undefined {
  if (!signal.aborted) return undefined
  const { reason } = signal
  const isKnown = typeof reason === 'object' && reason !== null && 'kind' in reason
  // Only `interrupt` aborts it; a test that aborts without a reason means Ctrl-C.
  return isKnown ? (reason as Interruption) : { kind: 'signal', signal: 'SIGINT' }
}

export function throwOnInterruption({ signal }: Pick<Io, 'signal'>): void {
  if (signal.aborted) throw new SwitchboardError('cancelled', 'It was interrupted: what was done before then stays')
}
