/** A text into words, as `pre_tokenizer` of a tokenizer.json says. */
import type { JsonObject } from '@switchboard/protocol'
import { readParts, refuseTokenizer } from './refuse-tokenizer.ts'

export type Split = (text: string) => readonly string[]

/** What stands alone, or anything between blanks. */
const WORDS_AND_SIGNS = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu
/** As the models that work on bytes were taught it, between blanks. */
const BYTE_WORDS = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+/gu

export function createSplitter(declared: JsonObject | undefined): Split {
  switch (declared?.type) {
    case 'BertPreTokenizer':
      return (text) => text.match(WORDS_AND_SIGNS) ?? []
    case 'Whitespace':
      return (text) => text.match(/[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]+/gu) ?? []
    case 'WhitespaceSplit':
      return (text) => text.match(/\S+/g) ?? []
    case 'ByteLevel':
      return createByteSplitter(declared)
    case 'Sequence': {
      const splits = readParts(declared, 'pretokenizers').map(createSplitter)
      return (text) => splits.reduce<readonly string[]>((words, split) => words.flatMap((word) => split(word)), [text])
    }
    default:
      return refuseTokenizer('pre_tokenizer', declared?.type)
  }
}

function createByteSplitter({ add_prefix_space: addsBlank = true, use_regex: splits = true }: JsonObject): Split {
  return (text) => {
    const whole = addsBlank === true && !text.startsWith(' ') ? ` ${text}` : text
    return splits === true ? splitBetweenBlanks(whole) : [whole]
  }
}

/** The last blank belongs to the word behind it; those before it, and those at the end, are a word of their own. */
function splitBetweenBlanks(text: string): string[] {
  const words: string[] = []
  let blanks = ''
  for (const run of text.match(/\s+|\S+/gu) ?? []) {
    if (run.trim() === '') {
      blanks = run
      continue
    }
    const belongs = blanks.endsWith(' ')
    const apart =
      belongs || blanks.length < 2
        ? [blanks.slice(0, belongs ? -1 : undefined)]
        : [blanks.slice(0, -1), blanks.slice(-1)]
    words.push(...apart.filter((blank) => blank !== ''), ...((belongs ? ` ${run}` : run).match(BYTE_WORDS) ?? []))
    blanks = ''
  }
  return blanks === '' ? words : [...words, blanks]
}
