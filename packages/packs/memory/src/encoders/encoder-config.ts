/** What a person may say about the encoder: `packs.memory.encoder`. */
import {
  choiceType,
  durationType,
  type FieldTable,
  type FieldType,
  field,
  forbidKeysOfOtherKinds,
  type InputOf,
  integerType,
  type KeyPath,
  listType,
  objectType,
  pathType,
  type ReadContext,
  readFields,
  refuse,
  type SourceNode,
  textType,
  type ValuesOf,
  withoutZero,
} from '@switchboard/config'

/** As the store has it, which every command would else have to load. */
export const MAX_DIMENSION = 8_192

/** What can be searched by meaning. */
export const ENCODED_SPACES = ['checkpoints', 'remediations', 'skills', 'patterns', 'code'] as const

export type EncodedSpace = (typeof ENCODED_SPACES)[number]

const KINDS = ['openai', 'ollama', 'tei', 'onnx'] as const

export type EncoderKind = (typeof KINDS)[number]

const REMOTE = ['openai', 'ollama', 'tei'] as const
const LOCAL = ['onnx'] as const

const spacesType = listType(choiceType(ENCODED_SPACES), {
  expected: `a list of ${ENCODED_SPACES.map((name) => `"${name}"`).join(', ')}`,
  short: 'list of names',
  refuseEmpty: 'at least one name: leave "encoder" out to search by words alone',
  unique: true,
})

/** Where it was seen to help; or in what is named. */
const useType: FieldType<'auto' | readonly EncodedSpace[], 'auto' | readonly EncodedSpace[]> = {
  expected: `"auto", or ${spacesType.expected}`,
  short: '"auto" or list of names',
  schema: { anyOf: [{ const: 'auto' }, spacesType.schema] },
  read: (node, path, context) => {
    if (node.scalar === 'auto') return { value: 'auto' }
    if (node.type === 'list') return spacesType.read(node, path, context)
    return refuse(context, node, path, useType.expected)
  },
}

const folder = (expected: string) =>
  pathType({ expected, pattern: '\\S', expands: true, check: withoutZero('is empty after its variables are expanded') })

const prefixType = textType({ expected: 'a text of at most 500 characters', maxLength: 500 })

const ENCODER_FIELDS = {
  kind: field(choiceType(KINDS), {
    fallback: 'openai',
    required: true,
    doc: 'What it speaks: `openai`, any server with `/v1/embeddings`; `ollama`; `tei`, Text Embeddings Inference; `onnx`, a model in a folder of this machine.',
    examples: ['openai', 'ollama'],
  }),
  url: field(
    textType({
      expected: 'an http: or https: URL without a name, a password and a query in it',
      schemaPattern: '^https?://|\\$\\{',
      expands: true,
      secret: true,
      check: findUrlProblem,
    }),
    {
      kinds: REMOTE,
      doc: 'What the path of its API is put behind: of `openai` with the `/v1`. Absent: `http://127.0.0.1:11434`, for `ollama` alone.',
      examples: ['http://127.0.0.1:1234/v1'],
    },
  ),
  model: field(textType({ expected: 'the name of a model', pattern: '\\S', maxLength: 200 }), {
    kinds: REMOTE,
    doc: 'The model, as that server calls it. `tei` serves one, and is asked for its name where none is given.',
    examples: ['nomic-embed-text'],
  }),
  key: field(
    textType({
      expected: 'a key, best as a variable',
      notEmpty: true,
      expands: true,
      secret: true,
      check: (text) => (/^[\x21-\x7e]+$/.test(text) ? undefined : 'holds a character that no header may have'),
    }),
    {
      kinds: REMOTE,
      doc: 'Sent as `Authorization: Bearer …`, to that URL alone. Shown nowhere.',
      examples: [`\${OPENAI_API_KEY}`],
    },
  ),
  format: field(choiceType(['float', 'base64']), {
    fallback: 'float',
    written: 'float',
    kinds: ['openai'],
    doc: 'How vectors are asked for. Either is understood.',
  }),
  path: field(folder('the folder of a model, with model.onnx and tokenizer.json'), {
    kinds: LOCAL,
    doc: 'The folder of the model: `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json` in it.',
    examples: ['~/models/bge-small-en-v1.5'],
  }),
  runtime: field(folder('the folder in which onnxruntime-node was installed'), {
    kinds: LOCAL,
    doc: 'The folder in which `npm install onnxruntime-node` was run; Switchboard does not bring it.',
    examples: ['~/.switchboard-onnx'],
  }),
  pooling: field(choiceType(['mean', 'cls']), {
    fallback: 'mean',
    written: 'mean',
    kinds: LOCAL,
    doc: 'How the vectors of its tokens become one: their mean, or the first. What the model’s own page says. One that answers a vector a text needs none.',
  }),
  dimensions: field(integerType(1, MAX_DIMENSION), {
    unit: 'numbers',
    doc: 'How long its vectors are. Asked of `openai` and `ollama`; an answer of another length is refused. Absent: as the first answer is.',
    examples: [512],
  }),
  queryPrefix: field(prefixType, {
    fallback: '',
    written: '',
    doc: 'What the model wants to see before a query.',
    examples: ['search_query: '],
  }),
  documentPrefix: field(prefixType, {
    fallback: '',
    written: '',
    doc: 'What the model wants to see before what is stored. A change encodes everything anew.',
    examples: ['search_document: '],
  }),
  use: field(useType, {
    fallback: 'auto',
    written: 'auto',
    doc: 'Where search goes by meaning as well: `auto`, everywhere but where `switchboard memory eval` saw no help; or in what is named alone.',
    examples: [['code', 'skills']],
  }),
  batch: field(integerType(1, 256), {
    fallback: 32,
    written: 32,
    unit: 'texts',
    doc: 'How many texts are sent at once at most; fewer where that takes long.',
  }),
  maxCharacters: field(integerType(200, 100_000), {
    fallback: 6_000,
    written: 6_000,
    unit: 'characters',
    doc: 'What is longer is cut before it is encoded; all of it is found by its words.',
  }),
  timeout: field(durationType, {
    fallback: 30_000,
    written: '30s',
    unit: 'ms',
    doc: 'How long one request may take.',
  }),
  queryTimeout: field(durationType, {
    fallback: 300,
    written: '300ms',
    unit: 'ms',
    doc: 'How long a search waits for the encoder before it goes by words alone.',
  }),
} satisfies FieldTable

export type EncoderConfig = ValuesOf<typeof ENCODER_FIELDS>

type EncoderInput = InputOf<typeof ENCODER_FIELDS>

/** What each kind cannot do without. */
const NEEDED: Readonly<Record<EncoderKind, readonly (keyof EncoderConfig)[]>> = {
  openai: ['url', 'model'],
  ollama: ['model'],
  tei: ['url'],
  onnx: ['path'],
}

const ENCODER_TABLE = {
  name: 'memoryEncoder',
  owner: 'the encoder of the memory',
  title: 'The encoder of the memory',
  fields: ENCODER_FIELDS,
  rules: {
    allOf: KINDS.map((kind) => ({
      if: { properties: { kind: { const: kind } } },
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
      then: { required: [...NEEDED[kind]], properties: forbidKeysOfOtherKinds(ENCODER_FIELDS, kind) },
    })),
  },
}

const encoderObject = objectType(ENCODER_TABLE)

export const encoderType: FieldType<EncoderConfig, EncoderInput> = {
  ...encoderObject,
  read: (node, path, context) => {
    const readings = readFields(node, path, ENCODER_TABLE, context)
    if (readings === undefined) return undefined
    const { values, given } = readings
    const fields: FieldTable = ENCODER_FIELDS
    for (const [key, { keyOffset }] of given) {
      if (fields[key]?.kinds?.includes(values.kind) !== false) continue
      context.problems.report({
        path: [...path, key],
        offset: keyOffset,
        problem: `is for ${fields[key].kinds.join(', ')}, and this encoder is of the kind ${values.kind}`,
        expected: 'it to be left out',
      })
    }
    for (const key of NEEDED[values.kind]) if (!given.has(key)) reportMissing(key, values.kind, { node, path, context })
    return { value: values }
  },
}

function reportMissing(
  key: keyof EncoderConfig,
  kind: EncoderKind,
  { node, path, context }: { node: SourceNode; path: KeyPath; context: ReadContext },
): void {
  context.problems.report({
    path,
    offset: node.offset,
    problem: `the key "${key}" is missing`,
    expected: `${ENCODER_FIELDS[key].type.expected}, which the kind ${kind} needs`,
  })
}

/** Quotes nothing of it: a password may stand in it. */
function findUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is no URL'
  const { protocol, username, password, search, hash } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return 'is no http: or https: URL'
  if (username !== '' || password !== '') return 'has a name or password in it, which belongs into "key"'
  return search !== '' || hash !== '' ? 'has a query or a fragment in it' : undefined
}
