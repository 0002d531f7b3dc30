/** Whoever starts Switchboard for the first time and has servers in other clients is offered to take them over: once. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrivateFolder, writeFileAtomically } from '@switchboard/base'
import { leadsToSwitchboard } from '@switchboard/protocol/naming'
import type { ClientId, Machine } from '../clients/client-places.ts'
import { OptionValues } from '../command-line/option-values.ts'
import { loadServers } from '../config/load-servers.ts'
import type { CommandContext } from '../context/command-context.ts'
import { readStaticEntries } from '../doctor/static/read-static-entries.ts'
import { machineOf } from '../init/create-init-options.ts'
import { confirm } from '../memory/confirm.ts'
import { formatCount } from '../terminal/format.ts'

const DEFAULT_PORT = 19_877

export interface Takeable {
  readonly servers: number
  /** By the names that people know. */
  readonly clients: readonly string[]
}

/** What clients have for all projects; undefined: nothing. */
export async function findTakeable(machine: Machine, cwd: string): Promise<Takeable | undefined> {
  const { entries } = await readStaticEntries(machine, cwd)
  const own = entries.filter((entry) => entry.project === undefined && !leadsToSwitchboard(entry, DEFAULT_PORT))
  if (own.length === 0) return undefined
  const clients = new Map<ClientId, string>(own.map(({ client, clientName }) => [client, clientName]))
  return { servers: new Set(own.map(({ name }) => name)).size, clients: [...clients.values()] }
}

export function describeTakeable({ servers, clients }: Takeable): string {
  return `${clients.join(', ')} ${clients.length === 1 ? 'has' : 'have'} ${formatCount(servers, 'server')}`
}

/** At a terminal, before anything is started. Whoever says no is not asked again; the line on the first screen stays. */
export async function offerInit(context: CommandContext): Promise<void> {
  const { io, home, out, isJson } = context
  if (io.stdin.isTTY !== true || !out.isTTY || isJson) return
  const answered = join(home.directory, 'init', 'answered')
  if (existsSync(answered)) return
  const { servers, misconfigured } = await loadServers(context).catch(() => ({
    servers: [],
    misconfigured: [undefined],
  }))
  if (servers.length + misconfigured.length > 0) return
  const takeable = await findTakeable(machineOf(context), io.cwd)
  if (takeable === undefined) return
  const question = `${describeTakeable(takeable)} already. See what Switchboard would take over?`
  const isWanted = await confirm(context, question, 'up')
  if (io.signal.aborted) return
  await ensurePrivateFolder(join(home.directory, 'init'))
  await writeFileAtomically(answered, '')
  if (!isWanted) return
  const { run } = await import('../commands/init.ts')
  await run(context, { options: new OptionValues(), positionals: [], rest: [] })
}
