export { readEnvText } from '../source/env-text.ts'
export { WORKSPACE_MARK } from '../source/variables.ts'
export { formatJson } from './format-json.ts'
export {
  hasProperty,
  type JsonReading,
  listKeys,
  readJsonText,
  readPropertyText,
  removeProperty,
  replacePropertyText,
  replaceTexts,
  setProperty,
} from './json-text.ts'
