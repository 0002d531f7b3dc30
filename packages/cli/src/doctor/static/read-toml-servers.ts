/** The tables `[mcp_servers.<name>]` of a TOML file. It is read only; what a person wrote there is never changed. */
import { isJsonObject } from '@switchboard/protocol'

export interface TomlServer {
  readonly path: readonly string[]
  readonly value: unknown
}

/** A problem: what is wrong, and on which line. */
export async function readTomlServers(text: string, table: string): Promise<TomlServer[] | { problem: string }> {
  // Few have such a file, so its parser is no part of the bundle.
  const { parse, TomlError } = await import('smol-toml')
  try {
    const servers = parse(text)[table]
    if (!isJsonObject(servers)) return []
    return Object.entries(servers).map(([name, value]) => ({ path: [table, name], value }))
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [what = ''] = error.message.split('\n')
    return { problem: `line ${error.line}: ${what.replace(/^Invalid TOML document: /, '')}` }
  }
}
