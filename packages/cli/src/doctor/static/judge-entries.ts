/**
 * Which static entries do harm:
 * - `vscode`: a way to Switchboard in a file of a VS Code that has the extension, which registers it for every window by itself.
 * - `twice`: a further entry that leads to Switchboard, for a client that has one.
 * - `shadowed`: the same under the same name for one project: the client takes one of the two.
 * - `same_server`: a server that Switchboard runs as well, in a client that reaches it through Switchboard.
 * An entry of a client that does not use Switchboard is that client's own business.
 */
import type { ServerConfig } from '@switchboard/pool'
import { leadsToSwitchboard } from '@switchboard/protocol/naming'
import type { ClientId } from '../../clients/client-places.ts'
import type { StaticEntry } from './static-entry.ts'

export interface Harm {
  readonly kind: 'vscode' | 'twice' | 'shadowed' | 'same_server'
  readonly entry: StaticEntry
  /** The one that stays. */
  readonly other?: StaticEntry
  /** The server of Switchboard's that is the same. */
  readonly server?: string
}

export interface JudgeOptions {
  readonly servers: readonly ServerConfig[]
  /** Where Switchboard listens: an entry with this address leads to it. */
  readonly port: number
  /** Clients in which our extension is installed. */
  readonly extended: ReadonlySet<ClientId>
}

export function judgeEntries(entries: readonly StaticEntry[], options: JudgeOptions): Harm[] {
  const harms = new Map<StaticEntry, Harm>()
  const ways = entries.filter((entry) => leadsToSwitchboard(entry, options.port))
  for (const entry of ways) {
    if (options.extended.has(entry.client)) harms.set(entry, { kind: 'vscode', entry })
  }
  for (const entry of ways) {
    if (harms.has(entry)) continue
    const other = ways.find(
      (kept) => kept !== entry && !harms.has(kept) && isEarlier(kept, entry, ways) && meets(kept, entry),
    )
    if (other === undefined) continue
    const isShadow = other.name === entry.name && other.file !== entry.file
    harms.set(entry, { kind: isShadow ? 'shadowed' : 'twice', entry, other })
  }
  for (const entry of entries) {
    if (ways.includes(entry)) continue
    const isConnected = ways.some((way) => !harms.has(way) && meets(way, entry))
    const server = isConnected ? options.servers.find((candidate) => isSameServer(entry, candidate)) : undefined
    if (server !== undefined) harms.set(entry, { kind: 'same_server', entry, server: server.name })
  }
  return [...harms.values()]
}

function isVsCode({ client }: StaticEntry): boolean {
  return client === 'vscode' || client === 'vscode-insiders'
}

/** Both hold at once for some window: what is for all meets everything, what is of a project meets its own project. */
function meets(one: StaticEntry, other: StaticEntry): boolean {
  // The files of a project are the same for VS Code and its Insiders.
  const isShared = isVsCode(one) && isVsCode(other) && (one.project !== undefined || other.project !== undefined)
  if (one.client !== other.client && !isShared) return false
  return one.project === undefined || other.project === undefined || one.project === other.project
}

/** What is for all projects stays before what is of one. */
function isEarlier(one: StaticEntry, other: StaticEntry, all: readonly StaticEntry[]): boolean {
  const [a, b] = [one, other].map(({ project }) => (project === undefined ? 0 : 1))
  return a === b ? all.indexOf(one) < all.indexOf(other) : (a ?? 0) < (b ?? 0)
}

function isSameServer(entry: StaticEntry, server: ServerConfig): boolean {
  if (!server.enabled) return false
  if (server.type === 'stdio') {
    return entry.command === server.command && JSON.stringify(entry.args) === JSON.stringify(server.args)
  }
  return entry.url !== undefined && trimUrl(entry.url) === trimUrl(server.url)
}

function trimUrl(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}
