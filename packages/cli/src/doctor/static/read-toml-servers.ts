/** The tables `[mcp_servers.<name>]` of a TOML file. */
import { isJsonObject } from '@switchboard/protocol'
import { readTomlText } from '../../clients/list/toml-text.ts'

export interface TomlServer {
  readonly path: readonly string[]
  readonly value: unknown
}

/** A problem: what is wrong, and on which line. */
export async function readTomlServers(text: string, table: string): Promise<TomlServer[] | { problem: string }> {
  const reading = await readTomlText(text)
  if (reading.problem !== undefined) return { problem: reading.problem }
  const servers = reading.value[table]
  if (!isJsonObject(servers)) return []
  return Object.entries(servers).map(([name, value]) => ({ path: [table, name], value }))
}
