/** What is done to a text before it is split, as `normalizer` of a tokenizer.json says. */
import type { JsonObject } from '@switchboard/protocol'
import { readParts, refuseTokenizer } from './refuse-tokenizer.ts'

export type Change = (text: string) => string

const IDEOGRAPHS = /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu

export function createNormalizer(declared: JsonObject | undefined): Change {
  if (declared === undefined) return (text) => text
  switch (declared.type) {
    case 'Sequence':
      return readParts(declared, 'normalizers')
        .map(createNormalizer)
        .reduce((first, second) => (text) => second(first(text)))
    case 'BertNormalizer':
      return createBertNormalizer(declared)
    case 'Lowercase':
      return (text) => text.toLowerCase()
    case 'StripAccents':
      return stripAccents
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD': {
      const form = declared.type
      return (text) => text.normalize(form)
    }
    default:
      return refuseTokenizer('normalizer', declared.type)
  }
}

function createBertNormalizer(declared: JsonObject): Change {
  const { clean_text: cleans = true, handle_chinese_chars: separates = true, lowercase: lowers = true } = declared
  // Not said: as with the case.
  const strips = declared.strip_accents ?? lowers
  const steps: Change[] = [
    ...(cleans === true ? [clean] : []),
    ...(separates === true ? [(text: string) => text.replace(IDEOGRAPHS, ' $& ')] : []),
    ...(strips === true ? [stripAccents] : []),
    ...(lowers === true ? [(text: string) => text.toLowerCase()] : []),
  ]
  return (text) => steps.reduce((changed, step) => step(changed), text)
}

function clean(text: string): string {
  return text
    .replace(/[\t\n\r]/g, ' ')
    .replace(/[\p{C}\uFFFD]/gu, '')
    .replace(/\p{Zs}/gu, ' ')
}

function stripAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{Mn}/gu, '')
}
