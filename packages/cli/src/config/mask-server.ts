import type { ServerConfig } from '@switchboard/pool'
import { MASK, maskText } from '@switchboard/telemetry'

/** For a screen or a pipe: of environment and headers the names only, and no secret in an argument or an address. */
export function maskServer(server: ServerConfig): Record<string, unknown> {
  if (server.type === 'stdio') {
    const { name, type, command, args, env, ...rest } = server
    return { name, type, command, args: args.map((argument) => maskText(argument)), env: maskValues(env), ...rest }
  }
  const { name, type, url, headers, ...rest } = server
  return { name, type, url: maskText(url), headers: maskValues(headers), ...rest }
}

function maskValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, MASK]))
}
