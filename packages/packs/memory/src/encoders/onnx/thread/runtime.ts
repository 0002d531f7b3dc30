/** `onnxruntime-node`, where the person has installed it: nothing of it comes with Switchboard. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorMessage } from '@switchboard/base'
import { EncoderError } from '../../encoder.ts'

export interface Tensor {
  readonly dims: readonly number[]
  readonly data: unknown
}

export interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

export interface Runtime {
  readonly InferenceSession: { create(file: string, options: object): Promise<Session> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
}

const PACKAGE = 'onnxruntime-node'

export async function loadRuntime(folder: string | undefined): Promise<Runtime> {
  const require = createRequire(folder === undefined ? import.meta.url : pathToFileURL(join(folder, 'package.json')))
  let file: string
  try {
    file = require.resolve(PACKAGE)
  } catch (cause) {
    const where = folder === undefined ? 'beside Switchboard' : `in ${folder}`
    throw new EncoderError(
      'unusable',
      `needs the package ${PACKAGE}, which is not installed ${where}: see docs/memory-encoders.md`,
      { cause },
    )
  }
  try {
    const loaded = await import(pathToFileURL(file).href)
    // A CommonJS module: what it exports is its default.
    return (loaded.default ?? loaded) as Runtime
  } catch (cause) {
    throw new EncoderError('unusable', `could not load ${PACKAGE} (${errorMessage(cause)})`, { cause })
  }
}
