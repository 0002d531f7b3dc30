import { stat } from 'node:fs/promises'
import type { PoolConfig } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { SwitchboardConfig } from './switchboard-file.ts'

/** What is not about one server. */
const SECTIONS = ['gateway', 'daemon', 'telemetry', 'profiles', 'modes', 'packs'] as const satisfies readonly Section[]
type Section = Exclude<keyof SwitchboardConfig, keyof PoolConfig>

/** Servers by name. */
export interface ConfigurationChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  /** Whose entry is wrong now and was not, or was wrong otherwise. */
  readonly misconfigured: readonly string[]
  /** Other parts of the file of which something changed, by their keys. */
  readonly sections: readonly string[]
}

export function compareConfigurations(before: SwitchboardConfig, after: SwitchboardConfig): ConfigurationChange {
  const old = new Map(before.servers.map((server) => [server.name, JSON.stringify(server)]))
  const now = new Map(after.servers.map((server) => [server.name, JSON.stringify(server)]))
  const reasons = new Map(before.misconfigured.map(({ name, reason }) => [name, reason]))
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, text]) => (old.has(name) && old.get(name) !== text ? [name] : [])),
    misconfigured: after.misconfigured.flatMap(({ name, reason }) => (reasons.get(name) === reason ? [] : [name])),
    sections: SECTIONS.filter((section) => JSON.stringify(before[section]) !== JSON.stringify(after[section])),
  }
}

export function isEmptyChange(change: ConfigurationChange): boolean {
  const { added, removed, changed, misconfigured, sections } = change
  return added.length + removed.length + changed.length + misconfigured.length + sections.length === 0
}

/** A server whose entry was changed into a wrong one goes on as it was: nobody means to stop it by a typing mistake. */
export function keepRunning(before: SwitchboardConfig, after: SwitchboardConfig): SwitchboardConfig {
  const wrong = new Set(after.misconfigured.map(({ name }) => name))
  const kept = before.servers.filter(({ name }) => wrong.has(name))
  if (kept.length === 0) return after
  const servers = [...after.servers]
  // Where they stood: others follow, as they did.
  for (const server of kept) servers.splice(before.servers.indexOf(server), 0, server)
  return { ...after, servers }
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
