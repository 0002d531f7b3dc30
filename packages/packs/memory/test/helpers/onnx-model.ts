/**
 * A small real model, written byte by byte: a row of numbers for each token (Gather), nothing else. The file format is that of
 * Protocol Buffers, of which it needs two kinds of fields.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ModelShape {
  /** One row for each token. */
  readonly rows: readonly (readonly number[])[]
  /** `tokens`: a vector for each token; `text`: their mean, computed by the model itself. */
  readonly output: 'tokens' | 'text'
  /** What it wants to be given besides the tokens. */
  readonly inputs?: readonly string[]
}

const FLOAT = 1
const INT64 = 7

/** Field numbers are those of the format's own description (onnx.proto). */
function createOnnxModel({ rows, output, inputs = [] }: ModelShape): Buffer {
  const [first = []] = rows
  const dimension = first.length
  const table = message(
    [1, rows.length], // dims
    [1, dimension],
    [2, FLOAT], // data_type
    [8, 'table'], // name
    [9, Buffer.from(Float32Array.from(rows.flat()).buffer)], // raw_data
  )
  const gather = node('Gather', ['table', 'input_ids'], output === 'tokens' ? 'last_hidden_state' : 'gathered')
  const mean = node('ReduceMean', ['gathered'], 'sentence_embedding', [
    message([1, 'axes'], [8, 1], [20, 7]), // name, ints, type INTS
    message([1, 'keepdims'], [3, 0], [20, 2]), // name, i, type INT
  ])
  const outputShape = output === 'tokens' ? ['batch', 'length', dimension] : ['batch', dimension]
  const graph = message(
    [1, gather],
    ...(output === 'text' ? [[1, mean] as const] : []),
    [2, 'words'],
    [5, table], // initializer
    ...['input_ids', ...inputs].map((name) => [11, value(name, INT64, ['batch', 'length'])] as const),
    [12, value(output === 'tokens' ? 'last_hidden_state' : 'sentence_embedding', FLOAT, outputShape)],
  )
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])]) // ir_version, graph, opset_import
}

/** The folder of a model as they are published. */
export async function writeOnnxModel(folder: string, shape: ModelShape, tokenizer: unknown): Promise<void> {
  await writeFile(join(folder, 'model.onnx'), createOnnxModel(shape))
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
}

function node(type: string, inputs: readonly string[], output: string, attributes: readonly Buffer[] = []): Buffer {
  return message(
    ...inputs.map((name) => [1, name] as const),
    [2, output],
    [4, type],
    ...attributes.map((attribute) => [5, attribute] as const),
  )
}

function value(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dimensions = shape.map((size) => [1, message(typeof size === 'number' ? [1, size] : [2, size])] as const)
  return message([1, name], [2, message([1, message([1, type], [2, message(...dimensions)])])])
}

type Field = readonly [number: number, value: number | string | Buffer]

function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([number, content]) => {
      if (typeof content === 'number') return Buffer.concat([varint(number * 8), varint(content)])
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
    }),
  )
}

function varint(number: number): Buffer {
  const bytes: number[] = []
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}
