/** A model in a folder: its tokenizer, its network, and what becomes of the vectors of its tokens. */
import { createHash, type Hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { errorMessage, readForeignText, readPart, withForeignFile } from '@switchboard/base'
import { EncoderError } from '../../encoder.ts'
import type { ModelStart, Pooling } from './messages.ts'
import { loadRuntime, type Runtime, type Session, type Tensor } from './runtime.ts'
import { createTokenizer, type Tokenizer } from './tokenizer/tokenizer.ts'

export interface Model {
  /** Of what it is made of, so that a file that was replaced is another model. */
  readonly name: string
  encode(texts: readonly string[]): Promise<Float32Array[]>
}

/** A network in one file has no more. */
const MAX_MODEL_BYTES = 2 ** 31
const PART_BYTES = 4 * 1024 * 1024
const MAX_TOKENIZER_BYTES = 64 * 1024 * 1024
/** So many go through the network at once: more gain nothing on a processor. */
const GROUP = 16
const KNOWN_INPUTS = ['input_ids', 'attention_mask', 'token_type_ids']

export async function openModel({ folder, runtime, pooling }: ModelStart): Promise<Model> {
  const file = findModelFile(folder)
  const description = readTokenizer(folder)
  const tokenizer = createTokenizer(JSON.parse(description))
  const loaded = await loadRuntime(runtime)
  const session = await openSession(loaded, file)
  throwOnInputs(session)
  const version = hashFile(file).update(description).update(pooling).digest('hex').slice(0, 12)
  return {
    name: `onnx:${basename(folder)}@${version}`,
    encode: (texts) => encode(texts, { runtime: loaded, session, tokenizer, pooling }),
  }
}

function findModelFile(folder: string): string {
  const found = [join(folder, 'model.onnx'), join(folder, 'onnx', 'model.onnx')].find((file) => existsSync(file))
  if (found === undefined) throw new EncoderError('unusable', `finds no model.onnx in ${folder}`)
  return found
}

function hashFile(path: string): Hash {
  const hash = createHash('sha256')
  withForeignFile(path, { maxBytes: MAX_MODEL_BYTES }, ({ fd, size }) => {
    for (let at = 0; at < size; at += PART_BYTES) hash.update(readPart(fd, at, Math.min(PART_BYTES, size - at)))
  })
  return hash
}

function readTokenizer(folder: string): string {
  try {
    const text = readForeignText(join(folder, 'tokenizer.json'), { maxBytes: MAX_TOKENIZER_BYTES })
    JSON.parse(text)
    return text
  } catch (cause) {
    throw new EncoderError('unusable', `cannot read its tokenizer.json (${errorMessage(cause)})`, { cause })
  }
}

async function openSession({ InferenceSession }: Runtime, file: string): Promise<Session> {
  try {
    // Of few processors one is left for everything else.
    const threads = Math.max(1, Math.min(4, availableParallelism() - 1))
    return await InferenceSession.create(file, { intraOpNumThreads: threads, interOpNumThreads: 1 })
  } catch (cause) {
    throw new EncoderError('unusable', `could not load ${file} (${errorMessage(cause)})`, { cause })
  }
}

function throwOnInputs({ inputNames }: Session): void {
  const unknown = inputNames.filter((name) => !KNOWN_INPUTS.includes(name))
  if (unknown.length === 0 && inputNames.includes('input_ids')) return
  const wants = inputNames.join(', ')
  throw new EncoderError('unusable', `has a model that wants ${wants}: only ${KNOWN_INPUTS.join(', ')} can be given`)
}

interface Parts {
  readonly runtime: Runtime
  readonly session: Session
  readonly tokenizer: Tokenizer
  readonly pooling: Pooling
}

/** Those of about the same length go together: the shorter are filled up. */
async function encode(texts: readonly string[], parts: Parts): Promise<Float32Array[]> {
  const tokens = texts.map((text, index) => ({ index, ids: parts.tokenizer.encode(text) }))
  tokens.sort((a, b) => a.ids.length - b.ids.length)
  const vectors: Float32Array[] = new Array(texts.length)
  for (let start = 0; start < tokens.length; start += GROUP) {
    const group = tokens.slice(start, start + GROUP)
    const made = await runGroup(
      group.map(({ ids }) => ids),
      parts,
    )
    for (const [place, { index }] of group.entries()) vectors[index] = made[place] ?? new Float32Array()
  }
  return vectors
}

async function runGroup(rows: readonly (readonly number[])[], parts: Parts): Promise<Float32Array[]> {
  const { runtime, session, tokenizer, pooling } = parts
  const length = Math.max(...rows.map((ids) => ids.length))
  const ids = new BigInt64Array(rows.length * length).fill(BigInt(tokenizer.padding))
  const mask = new BigInt64Array(rows.length * length)
  for (const [row, tokens] of rows.entries()) {
    for (const [column, id] of tokens.entries()) {
      ids[row * length + column] = BigInt(id)
      mask[row * length + column] = 1n
    }
  }
  const inputs: Readonly<Record<string, BigInt64Array>> = {
    input_ids: ids,
    attention_mask: mask,
    token_type_ids: new BigInt64Array(ids.length),
  }
  const feeds = Object.fromEntries(
    session.inputNames.map((name) => [
      name,
      new runtime.Tensor('int64', inputs[name] ?? new BigInt64Array(), [rows.length, length]),
    ]),
  )
  const output = pickOutput(session, await session.run(feeds))
  const lengths = rows.map((tokens) => tokens.length)
  return pool(output, lengths, pooling)
}

function pickOutput({ outputNames }: Session, outputs: Readonly<Record<string, Tensor>>): Tensor {
  const name = ['sentence_embedding', 'last_hidden_state'].find((wanted) => outputNames.includes(wanted))
  const output = outputs[name ?? outputNames[0] ?? '']
  if (output === undefined) throw new EncoderError('unusable', 'has a model without an output')
  return output
}

/** One vector a text. A model that gives one itself has done it already. */
function pool({ dims, data }: Tensor, lengths: readonly number[], pooling: Pooling): Float32Array[] {
  const [rows = 0, second = 0, third] = dims
  if (!(data instanceof Float32Array) || rows !== lengths.length || dims.length > 3) {
    const shape = dims.join(' × ')
    throw new EncoderError(
      'unusable',
      `has a model whose output (${shape}) is no vector of 32-bit numbers a text or token`,
    )
  }
  if (third === undefined) return lengths.map((_, row) => data.slice(row * second, (row + 1) * second))
  return lengths.map((length, row) => {
    const tokens = pooling === 'cls' ? 1 : length
    const sum = new Float32Array(third)
    for (let token = 0; token < tokens; token++) {
      const start = (row * second + token) * third
      for (let at = 0; at < third; at++) sum[at] = (sum[at] ?? 0) + (data[start + at] ?? 0)
    }
    return sum.map((value) => value / tokens)
  })
}
