import { SwitchboardError } from '@switchboard/protocol'
import { readPoolConfig } from '../../src/config/pool-config.ts'
import type { ConfigProblem } from '../../src/config/problems.ts'
import type { ServerConfig, SwitchboardConfig } from '../../src/config/server-config.ts'
import type { Environment } from '../../src/config/variables.ts'

export const BASE_DIRECTORY = process.platform === 'win32' ? 'C:\\base' : '/base'

export function readText(text: string, env: Environment = {}): SwitchboardConfig {
  return readPoolConfig({ text, file: 'config.json', env, baseDirectory: BASE_DIRECTORY })
}

/** The one server `s` with this entry. */
export function readServer(entry: unknown, env: Environment = {}, rest: object = {}): ServerConfig {
  const [server] = readText(JSON.stringify({ mcpServers: { s: entry }, ...rest }), env).servers
  if (server === undefined) throw new Error('There is no server')
  return server
}

export function catchError(run: () => unknown): SwitchboardError {
  try {
    run()
  } catch (error) {
    if (error instanceof SwitchboardError) return error
    throw error
  }
  throw new Error('Nothing was thrown')
}

export function problemsOf(error: SwitchboardError): readonly ConfigProblem[] {
  return error.details.problems as ConfigProblem[]
}
