export { formatJson } from './format-json.ts'
export { hasProperty, type JsonReading, listKeys, readJsonText, removeProperty, setProperty } from './json-text.ts'
