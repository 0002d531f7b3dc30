import type { ServerConfig, ServerInput } from '@switchboard/pool'
import { MASK, maskArguments, maskText } from '@switchboard/telemetry'

/** For a screen or a pipe: of environment and headers the names only, and no secret in an argument or an address. */
export function maskServer(server: ServerConfig): Record<string, unknown> {
  if (server.type === 'stdio') {
    const { name, type, command, args, env, ...rest } = server
    const [shown, ...words] = maskArguments([command, ...args])
    return { name, type, command: shown, args: words, env: maskValues(env), ...rest }
  }
  const { name, type, url, headers, ...rest } = server
  return { name, type, url: maskText(url), headers: maskValues(headers), ...rest }
}

/** What it runs or where it is, in one line. */
export function describeServer(server: Pick<ServerInput, 'command' | 'args' | 'url'>): string {
  if (server.url !== undefined) return maskText(server.url)
  return maskArguments([...(server.command === undefined ? [] : [server.command]), ...(server.args ?? [])]).join(' ')
}

function maskValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, MASK]))
}
