import type { ConfigProblem, Environment } from '@switchboard/config'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import { readPoolConfig } from '../../src/config/pool-config.ts'
import type { PoolConfig } from '../../src/config/pool-section.ts'
import type { ServerConfig } from '../../src/config/server-config.ts'

export const BASE_DIRECTORY = process.platform === 'win32' ? 'C:\\base' : '/base'

export function readText(text: string, env: Environment = {}): PoolConfig {
  return readPoolConfig({ text, file: 'config.json', env, baseDirectory: BASE_DIRECTORY })
}

/** The one server `s` with this entry. */
export function readServer(entry: unknown, env: Environment = {}, rest: object = {}): ServerConfig {
  const [server] = readText(JSON.stringify({ mcpServers: { s: entry }, ...rest }), env).servers
  if (server === undefined) throw new Error('There is no server')
  return server
}

export function problemsOf(error: SwitchboardError): readonly ConfigProblem[] {
  return error.details.problems as ConfigProblem[]
}
