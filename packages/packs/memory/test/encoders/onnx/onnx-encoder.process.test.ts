import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OnnxEncoder, type OnnxEncoderOptions } from '../../../src/encoders/onnx/onnx-encoder.ts'
import { type ModelShape, writeOnnxModel } from '../../helpers/onnx-model.ts'
import { WORD_PIECES, wordPieceTokenizer } from '../../helpers/small-tokenizer.ts'

const NEVER = new AbortController().signal
const RUNTIME = fileURLToPath(new URL('../../../../../../.toolchain/onnx', import.meta.url))
/** Installed by `npm test`: scripts/run/onnx-runtime.mjs. */
const isMissing = !existsSync(`${RUNTIME}/node_modules/onnxruntime-node`)

/** Each word has a direction of its own, but "auto" and "car" have the same. */
const ROWS = WORD_PIECES.map((piece, id) =>
  WORD_PIECES.map((_, at) => (at === (piece === 'auto' ? WORD_PIECES.indexOf('car') : id) ? 1 : 0)),
)

let directory: TemporaryDirectory
const opened: OnnxEncoder[] = []
beforeEach(async () => {
  directory = await createTemporaryDirectory()
})
afterEach(async () => {
  for (const encoder of opened.splice(0)) await encoder.close()
  await directory.remove()
})

async function open(
  shape: Partial<ModelShape> = {},
  options: Partial<OnnxEncoderOptions> = {},
  tokenizer: unknown = wordPieceTokenizer,
) {
  const folder = directory.file('model')
  await mkdir(folder, { recursive: true })
  await writeOnnxModel(folder, { rows: ROWS, output: 'tokens', ...shape }, tokenizer)
  const encoder = new OnnxEncoder({ folder, runtime: RUNTIME, pooling: 'mean', ...options })
  opened.push(encoder)
  return encoder
}

const product = (a: Float32Array = new Float32Array(), b?: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0)

describe.skipIf(isMissing)('a model in a folder (needs onnxruntime-node, which npm test installs)', () => {
  test('gives each text the mean of its tokens, of length 1, however they are put together', async () => {
    const encoder = await open({ inputs: ['attention_mask', 'token_type_ids'] })
    const texts = ['the car', 'bread', 'the auto crashed, the bread.']
    const together = await encoder.encode(texts, NEVER)
    for (const [index, text] of texts.entries()) {
      const [alone] = await encoder.encode([text], NEVER)
      expect(together[index]).toEqual(alone)
      expect(product(alone, alone)).toBeCloseTo(1, 5)
    }
    // [CLS] the car [SEP]
    expect(together[0]).toEqual(
      Float32Array.from(WORD_PIECES, (piece) => (['[CLS]', 'the', 'car', '[SEP]'].includes(piece) ? 0.5 : 0)),
    )
    const [car, auto, bread] = await encoder.encode(['the car', 'the auto', 'the bread'], NEVER)
    expect(product(car, auto)).toBeGreaterThan(product(car, bread))
  })

  test('takes the first token where the model was taught so', async () => {
    const encoder = await open({}, { pooling: 'cls' })
    const [vector] = await encoder.encode(['the car'], NEVER)
    expect(vector).toEqual(Float32Array.from(WORD_PIECES, (piece) => (piece === '[CLS]' ? 1 : 0)))
  })

  test('takes the vector of the text where the model gives it itself', async () => {
    const encoder = await open({ output: 'text' })
    const [vector] = await encoder.encode(['the car'], NEVER)
    expect(vector?.filter((value) => Math.abs(value - 0.5) < 1e-6)).toHaveLength(4)
  })

  test('is another model when its file is another', async () => {
    const name = await (await open()).identify(NEVER)
    expect(name).toMatch(/^onnx:model@[0-9a-f]{12}$/)
    expect(await (await open()).identify(NEVER)).toBe(name)
    expect(await (await open({ rows: ROWS.map((row) => row.map((value) => 2 * value)) })).identify(NEVER)).not.toBe(
      name,
    )
  })

  test('many texts at once come back in their order', async () => {
    const encoder = await open()
    const texts = Array.from(
      { length: 100 },
      (_, number) => 'car '.repeat(number % 5) + (number % 2 === 0 ? 'the' : 'bread'),
    )
    const all = await encoder.encode(texts, NEVER)
    const [first] = await encoder.encode([texts[77] ?? ''], NEVER)
    expect(all[77]).toEqual(first)
  })

  test('a model that wants what nobody can give is refused with its name', async () => {
    const encoder = await open({ inputs: ['pixel_values'] })
    await expect(encoder.encode(['a'], NEVER)).rejects.toMatchObject({
      problem: 'unusable',
      message: expect.stringContaining('wants input_ids, pixel_values'),
    })
  })

  test('a file that is no model is refused, and a right one in its place is taken', async () => {
    const encoder = await open()
    await writeFile(directory.file('model', 'model.onnx'), 'no model')
    await expect(encoder.encode(['a'], NEVER)).rejects.toMatchObject({ problem: 'unusable' })
    await writeOnnxModel(directory.file('model'), { rows: ROWS, output: 'tokens' }, wordPieceTokenizer)
    expect(await encoder.encode(['the car'], NEVER)).toHaveLength(1)
  })

  test('a model with fewer rows than its tokenizer has words fails, and only that', async () => {
    const encoder = await open({ rows: ROWS.slice(0, 5) })
    await expect(encoder.encode(['bread'], NEVER)).rejects.toMatchObject({ problem: 'failed' })
    expect(await encoder.encode(['the'], NEVER)).toHaveLength(1)
  })

  test('closes in the middle of it', async () => {
    const encoder = await open()
    const answers = Array.from({ length: 20 }, () => encoder.encode(['the car', 'bread'], NEVER))
    const ended = Promise.allSettled(answers)
    await encoder.close()
    expect((await ended).map(({ status }) => status)).toContain('rejected')
  })

  test('who has enough of it waits no longer', async () => {
    const encoder = await open()
    const controller = new AbortController()
    const answer = encoder.encode(['the car'], controller.signal)
    controller.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
  })
})

test('without onnxruntime-node it says what to install', async () => {
  const encoder = await open({}, { runtime: directory.path })
  await expect(encoder.encode(['a'], NEVER)).rejects.toMatchObject({
    problem: 'unusable',
    message: expect.stringContaining(`needs the package onnxruntime-node, which is not installed in ${directory.path}`),
  })
})

test.each([
  ['no folder', undefined, 'finds no model.onnx'],
  ['another tokenizer', { model: { type: 'Unigram', vocab: {} } }, 'is not supported'],
])('%s is told', async (_name, tokenizer, told) => {
  const encoder =
    tokenizer === undefined
      ? new OnnxEncoder({ folder: directory.file('none'), runtime: RUNTIME, pooling: 'mean' })
      : await open({}, {}, { ...wordPieceTokenizer, ...tokenizer })
  opened.push(encoder)
  await expect(encoder.encode(['a'], NEVER)).rejects.toMatchObject({
    problem: 'unusable',
    message: expect.stringContaining(told),
  })
})
