/**
 * The packs that are built in, in the order in which their tools are listed: one line each, and nothing else names them.
 */
import type { PackSection } from '@switchboard/config'
import { OWN_PROVIDER, toPackProvider } from '@switchboard/protocol/naming'
import type { ToolDeclaration } from '@switchboard/toolkit'

const modules = await Promise.all([
  import('@switchboard/pack-debug'),
  import('@switchboard/pack-memory'),
  import('@switchboard/pack-lens'),
  // Our own is the last: what others list never depends on it.
  import('@switchboard/pack-switchboard'),
])

export const PACKS = modules.map(({ pack }) => pack)

type Pack = (typeof PACKS)[number]

/** Those that have a section of their own in the configuration. */
export const CONFIGURABLE_PACKS = PACKS.filter(
  (pack): pack is Extract<Pack, { config: PackSection }> => pack.config !== undefined,
)

/** As profiles name them, also where they are switched off. */
export const LISTED_PACKS: readonly string[] = PACKS.map(({ name }) => toPackProvider(name))

/** What no server's tool may be called, also where ours is not listed: the way to a mode leads to nobody else. */
export const RESERVED_NAMES: readonly string[] = PACKS.filter(({ name }) => name === OWN_PROVIDER).flatMap(
  ({ tools }) => tools.map(({ name }) => name),
)

/** By tool: how often one caller may call it where nobody has configured it. */
export const DECLARED_RATES: ReadonlyMap<string, NonNullable<ToolDeclaration['rate']>> = new Map(
  PACKS.flatMap(({ tools }) => tools.flatMap(({ name, rate }) => (rate === undefined ? [] : [[name, rate] as const]))),
)
