/**
 * Texts into the numbers that a model was taught with, as its tokenizer.json says: WordPiece, as BERT and most small encoders have
 * it, and byte-level BPE. Whatever it does not know of such a file it refuses. A text is data: `[SEP]` in it is six characters.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { splitByBytePairs } from './byte-pairs.ts'
import { createNormalizer } from './normalize.ts'
import { refuseTokenizer } from './refuse-tokenizer.ts'
import { createSplitter } from './split-words.ts'
import { splitByWordPiece } from './word-piece.ts'

export interface Tokenizer {
  /** With what the model wants to see before and behind it; cut where the model ends. */
  encode(text: string): number[]
  /** What shorter rows are filled up with. */
  readonly padding: number
}

const DEFAULT_LENGTH = 512
/** No model that is meant for a search reads more. */
const MAX_LENGTH = 8_192

export function createTokenizer(file: unknown): Tokenizer {
  if (!isJsonObject(file) || !isJsonObject(file.model)) return refuseTokenizer('model', null)
  const normalize = createNormalizer(asObject(file.normalizer))
  const split = createSplitter(asObject(file.pre_tokenizer))
  const vocabulary = readVocabulary(file.model)
  const toPieces = createSplitOfWords(file.model, vocabulary)
  const { before, after } = readFrame(asObject(file.post_processor), vocabulary)
  const longest = asObject(file.truncation)?.max_length
  const room =
    Math.min(typeof longest === 'number' ? longest : DEFAULT_LENGTH, MAX_LENGTH) - before.length - after.length
  return {
    padding: readPadding(asObject(file.padding), vocabulary),
    encode(text) {
      const pieces: number[] = []
      for (const word of split(normalize(text))) {
        if (pieces.length >= room) break
        pieces.push(...toPieces(word))
      }
      return [...before, ...pieces.slice(0, Math.max(0, room)), ...after]
    },
  }
}

function createSplitOfWords(model: JsonObject, vocabulary: ReadonlyMap<string, number>): (word: string) => number[] {
  const unknown = typeof model.unk_token === 'string' ? vocabulary.get(model.unk_token) : undefined
  // Older files do not say it: merges are those of BPE.
  const type = model.type ?? ('merges' in model ? 'BPE' : undefined)
  if (type === 'WordPiece') {
    if (unknown === undefined) return refuseTokenizer('unk_token', model.unk_token)
    const { continuing_subword_prefix: prefix = '##', max_input_chars_per_word: maxCharacters = 100 } = model
    const options = { vocabulary, unknown, prefix: String(prefix), maxCharacters: Number(maxCharacters) }
    return (word) => splitByWordPiece(word, options)
  }
  if (type !== 'BPE') return refuseTokenizer('model', type)
  const options = { vocabulary, unknown, merges: readMerges(model.merges) }
  return (word) => splitByBytePairs(word, options)
}

function readVocabulary({ vocab }: JsonObject): Map<string, number> {
  if (!isJsonObject(vocab)) return refuseTokenizer('vocab', null)
  return new Map(Object.entries(vocab).map(([piece, id]) => [piece, Number(id)]))
}

/** Each as `"a b"` or as `["a", "b"]`. */
function readMerges(merges: unknown): Map<string, number> {
  if (!Array.isArray(merges)) return refuseTokenizer('merges', null)
  return new Map(merges.map((merge, order) => [Array.isArray(merge) ? merge.join(' ') : String(merge), order]))
}

interface Frame {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** What stands before and behind every text. */
function readFrame(declared: JsonObject | undefined, vocabulary: ReadonlyMap<string, number>): Frame {
  if (declared === undefined) return { before: [], after: [] }
  switch (declared.type) {
    case 'ByteLevel':
      return { before: [], after: [] }
    case 'BertProcessing':
    case 'RobertaProcessing':
      return { before: readPair(declared.cls), after: readPair(declared.sep) }
    case 'TemplateProcessing':
      return readTemplate(declared, vocabulary)
    case 'Sequence': {
      const parts = Array.isArray(declared.processors) ? declared.processors : []
      const frames = parts.map((part) => readFrame(asObject(part), vocabulary))
      return {
        before: frames.flatMap(({ before }) => before),
        after: frames.flatMap(({ after }) => after),
      }
    }
    default:
      return refuseTokenizer('post_processor', declared.type)
  }
}

function readTemplate({ single, special_tokens: special }: JsonObject, vocabulary: ReadonlyMap<string, number>): Frame {
  const steps = Array.isArray(single) ? single.map((step) => asObject(step) ?? {}) : []
  const middle = steps.findIndex((step) => 'Sequence' in step)
  if (middle === -1) return refuseTokenizer('post_processor', 'TemplateProcessing without a sequence')
  const idsOf = (step: JsonObject): number[] => {
    const name = String(asObject(step.SpecialToken)?.id)
    const ids = asObject(asObject(special)?.[name])?.ids
    const known = vocabulary.get(name)
    if (Array.isArray(ids)) return ids.map(Number)
    return known === undefined ? refuseTokenizer('special token', name) : [known]
  }
  return { before: steps.slice(0, middle).flatMap(idsOf), after: steps.slice(middle + 1).flatMap(idsOf) }
}

/** `["[CLS]", 101]` */
function readPair(pair: unknown): number[] {
  return Array.isArray(pair) && typeof pair[1] === 'number'
    ? [pair[1]]
    : refuseTokenizer('post_processor', pair ?? null)
}

function readPadding(declared: JsonObject | undefined, vocabulary: ReadonlyMap<string, number>): number {
  if (typeof declared?.pad_id === 'number') return declared.pad_id
  return vocabulary.get('[PAD]') ?? vocabulary.get('<pad>') ?? 0
}

function asObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}
