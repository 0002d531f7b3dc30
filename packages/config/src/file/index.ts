export {
  type CheckConfigOptions,
  type ConfigFile,
  createConfigFile,
  type FileInput,
  type LoadConfigOptions,
  type ReadConfigOptions,
} from './config-file.ts'
export { createTableSchema } from './json-schema.ts'
export { listTables } from './list-tables.ts'
