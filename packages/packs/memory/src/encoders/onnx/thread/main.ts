/** The program of the thread that a model runs in. */
import { parentPort, workerData } from 'node:worker_threads'
import { errorMessage } from '@switchboard/base'
import { EncoderError } from '../../encoder.ts'
import type { ModelAnswer, ModelRequest, ModelStart } from './messages.ts'
import { type Model, openModel } from './model.ts'

const port = parentPort
if (port !== null) {
  // Given by the encoder that starts this thread.
  const start = workerData as ModelStart
  let model: Promise<Model> | undefined
  let last = Promise.resolve()
  port.on('message', (request: ModelRequest) => {
    model ??= openModel(start)
    const opened = model
    last = last.then(async () => port.postMessage(await answer(opened, request)))
  })
}

async function answer(model: Promise<Model>, { id, texts }: ModelRequest): Promise<ModelAnswer> {
  try {
    const { name, encode } = await model
    return { id, name, vectors: texts.length === 0 ? [] : await encode(texts) }
  } catch (error) {
    if (error instanceof EncoderError) return { id, problem: error.problem, message: error.message }
    return { id, problem: 'failed', message: `failed (${errorMessage(error)})` }
  }
}
