export {
  type CheckConfigOptions,
  type ConfigFile,
  createConfigFile,
  type FileInput,
  type LoadConfigOptions,
  type ReadConfigOptions,
  type ReadText,
} from './config-file.ts'
export { createTableSchema } from './json-schema.ts'
export { listTables } from './list-tables.ts'
export { MAX_NAMED_BYTES } from './read-named-text.ts'
