export { encodeMessage } from './encode-message.ts'
export {
  JsonTooDeepError,
  JsonTooManyPartsError,
  MAX_JSON_DEPTH,
  MAX_JSON_PARTS,
  parsePlainJson,
} from './json-depth.ts'
export { LineReader } from './line-reader.ts'
export { LineWriter } from './line-writer.ts'
export { parseJson, stringifyJson, withPlainNumbers } from './parse-json.ts'
export { recoverId } from './recover-id.ts'
