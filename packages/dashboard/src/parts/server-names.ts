import type { DashboardOverview } from '@switchboard/daemon/client'

/** Each once: a server that every window has for itself is listed for each of them. */
export function listServerNames({ servers }: DashboardOverview): string[] {
  return [...new Set(servers.map(({ name }) => name))]
}

/** Whoever may have a tool, as choices of a filter. */
export function listProviderChoices(overview: DashboardOverview): (readonly [value: string, text: string])[] {
  const packs = (overview.packs ?? []).map(({ name }) => name)
  return [['', 'all'], ...[...listServerNames(overview), ...packs].map((name) => [name, name] as const)]
}
