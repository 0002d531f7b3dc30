import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import { PACKS } from '../packs/packs.ts'
import { createProfiles } from './create-profiles.ts'

/** Those that a credential or a URL may name with this configuration: its own, and those that are built in. */
export function listProfileNames({ profiles, packs }: Pick<SwitchboardConfig, 'profiles' | 'packs'>): string[] {
  const settings: Readonly<Record<string, { readonly enabled: boolean } | undefined>> = packs
  const active = PACKS.filter(({ name }) => settings[name]?.enabled !== false)
  return [...new Set(['default', ...createProfiles(profiles, active).map(({ name }) => name)])]
}
