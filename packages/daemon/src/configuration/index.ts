export { isLoginKept } from '../logins/is-login-kept.ts'
export type { ModeConfig } from '../modes/mode-fields.ts'
export {
  addServer,
  createEntryError,
  type EditOptions,
  readServerText,
  removeServer,
  replaceServer,
  setProfileSearch,
  setServerEnabled,
} from './edit-servers.ts'
export { SCHEMA_FILE_NAME } from './generate-configuration-files.ts'
export { KeptVariables } from './kept-variables.ts'
export { type SwitchboardConfig, type SwitchboardInput, switchboardFile } from './switchboard-file.ts'
