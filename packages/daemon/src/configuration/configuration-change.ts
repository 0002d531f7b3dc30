import { stat } from 'node:fs/promises'
import type { PoolConfig, SwitchboardConfig } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol'

/** What is not about one server. */
const SECTIONS = ['gateway', 'daemon', 'profiles', 'modes', 'packs'] as const satisfies readonly Section[]
type Section = Exclude<keyof SwitchboardConfig, keyof PoolConfig>

/** Servers by name. */
export interface ConfigurationChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  /** Other parts of the file of which something changed, by their keys. */
  readonly sections: readonly string[]
}

export function compareConfigurations(before: SwitchboardConfig, after: SwitchboardConfig): ConfigurationChange {
  const old = new Map(before.servers.map((server) => [server.name, JSON.stringify(server)]))
  const now = new Map(after.servers.map((server) => [server.name, JSON.stringify(server)]))
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, text]) => (old.has(name) && old.get(name) !== text ? [name] : [])),
    sections: SECTIONS.filter((section) => JSON.stringify(before[section]) !== JSON.stringify(after[section])),
  }
}

export function isEmptyChange({ added, removed, changed, sections }: ConfigurationChange): boolean {
  return added.length + removed.length + changed.length + sections.length === 0
}

/** A file that vanished may be on its way back; it is no wish to stop every server. */
export async function throwOnVanishedFile(file: string, running: SwitchboardConfig): Promise<void> {
  if (running.servers.length === 0) return
  await stat(file).catch(() => {
    throw new SwitchboardError('invalid_configuration', `${file}: there is no such file any more.`, {
      hint: 'The servers go on as they are until it is back.',
    })
  })
}
