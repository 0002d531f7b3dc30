import type { Encoder } from './encoder.ts'
import type { EncoderConfig } from './encoder-config.ts'
import { OnnxEncoder } from './onnx/onnx-encoder.ts'
import { RemoteEncoder } from './remote/remote-encoder.ts'

const OLLAMA_URL = 'http://127.0.0.1:11434'

/** Nothing is asked or loaded yet. */
export function createEncoder(config: EncoderConfig): Encoder {
  const { kind, url = OLLAMA_URL, model, key, format, dimensions, path = '', runtime, pooling } = config
  if (kind === 'onnx') return new OnnxEncoder({ folder: path, runtime, pooling })
  return new RemoteEncoder({ kind, url, model, key, format, dimensions })
}
