/** What goes to the thread of a model and comes back. */
import type { EncoderProblem } from '../../encoder.ts'

export interface ModelStart {
  readonly folder: string
  /** Where `onnxruntime-node` is installed; absent: beside Switchboard. */
  readonly runtime: string | undefined
  readonly pooling: Pooling
}

export type Pooling = 'mean' | 'cls'

export interface ModelRequest {
  readonly id: number
  /** Empty: only the name of the model is asked for. */
  readonly texts: readonly string[]
}

export type ModelAnswer =
  | { readonly id: number; readonly name: string; readonly vectors: readonly Float32Array[] }
  | { readonly id: number; readonly problem: EncoderProblem; readonly message: string }
