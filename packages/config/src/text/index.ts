export { formatJson } from './format-json.ts'
export {
  hasProperty,
  type JsonReading,
  listKeys,
  readJsonText,
  removeProperty,
  replaceStrings,
  setProperty,
} from './json-text.ts'
