import type { Environment } from '@switchboard/config'
import { type SwitchboardConfig, switchboardFile } from '../../src/configuration/switchboard-file.ts'

export const BASE_DIRECTORY = process.platform === 'win32' ? 'C:\\base' : '/base'

export function readText(text: string, env: Environment = {}): SwitchboardConfig {
  return switchboardFile.read({ text, file: 'config.json', env, baseDirectory: BASE_DIRECTORY })
}
