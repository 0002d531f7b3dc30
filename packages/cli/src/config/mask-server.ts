import type { ServerConfig } from '@switchboard/pool'
import { MASK, maskText } from '@switchboard/telemetry'

/** For a screen or a pipe: of environment and headers the names only, and no secret in an argument or an address. */
export function maskServer(server: ServerConfig): Record<string, unknown> {
  const { name, type } = server
  return server.type === 'stdio'
    ? {
        name,
        type,
        command: server.command,
        ...server,
        args: server.args.map((argument) => maskText(argument)),
        env: maskValues(server.env),
      }
    : { name, type, ...server, url: maskText(server.url), headers: maskValues(server.headers) }
}

function maskValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, MASK]))
}
