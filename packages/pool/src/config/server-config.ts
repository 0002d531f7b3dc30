/** A server's configuration after checking and expansion: what the rest of the pool works with. Durations are ms. */
import type { KeysOfKind, ValuesOf } from '@switchboard/config'
import type { TransportKind } from '../transport/transport.ts'
import { DEFAULT_CALL_TIMEOUT, type SERVER_FIELDS, type TOOL_FIELDS } from './server-fields.ts'

type ServerValues = ValuesOf<typeof SERVER_FIELDS>

/** All keys of a server of that kind, but those of which the checker makes something else. */
type ValuesOfKind<Kind extends TransportKind> = Omit<
  Pick<ServerValues, KeysOfKind<typeof SERVER_FIELDS, Kind>>,
  'type' | 'disabled' | 'tools' | 'command' | 'url' | 'shared'
>

export interface ToolRules extends Omit<ValuesOf<typeof TOOL_FIELDS>, 'prefix'> {
  /** Text put before every name with an underscore; false: names, URIs and prompts are exposed unchanged. */
  readonly prefix: string | false
}

interface NamedServer {
  readonly name: string
  /** Why a server is off that nobody switched off, with the cure: a preset's server lacks its key. */
  readonly disabledReason?: string
  readonly shared: boolean
  /** Why a server is not shared of which its entry says nothing: what it keeps for one client, as half a sentence. */
  readonly privateReason?: string
  /** Something of it is the folder of the window that calls: it runs for windows only, one for each. */
  readonly isPerWindow?: boolean
  readonly tools: ToolRules
}

export interface StdioServerConfig extends NamedServer, ValuesOfKind<'stdio'> {
  readonly type: 'stdio'
  readonly command: string
}

export interface RemoteServerConfig extends NamedServer, ValuesOfKind<'http'> {
  readonly type: Exclude<TransportKind, 'stdio'>
  /** False when the type was inferred from the URL: then HTTP may fall back to SSE. */
  readonly typeIsExplicit: boolean
  readonly url: string
}

export type ServerConfig = StdioServerConfig | RemoteServerConfig

/** How to install the program of a server, where its configuration says so. */
export function installOf(server: ServerConfig): string | undefined {
  return server.type === 'stdio' ? server.install : undefined
}

/** Of a call, of a tool by its own name. A server whose budget was left as it is has none of its own. */
export function budgetOf(
  { timeout, toolTimeouts }: ServerConfig,
  tool: string | undefined,
  fallback: number | undefined,
): number {
  const own = tool === undefined ? undefined : toolTimeouts[tool]
  return own ?? (timeout === DEFAULT_CALL_TIMEOUT ? (fallback ?? timeout) : timeout)
}
