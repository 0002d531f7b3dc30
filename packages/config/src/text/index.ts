export { formatJson } from './format-json.ts'
export {
  hasProperty,
  type JsonReading,
  listKeys,
  readJsonText,
  readPropertyText,
  removeProperty,
  replacePropertyText,
  replaceStrings,
  setProperty,
} from './json-text.ts'
