import type { BucketRule } from '@switchboard/gateway'
import type { RateConfig } from '@switchboard/gateway/config'
import { createToolFilter, PACK_PROVIDER_PREFIX } from '@switchboard/protocol/naming'

/** What one caller may do with one tool of a pack where nothing is configured. Servers have no limit then. */
export const PACK_RATE: BucketRule = { perSecond: 10, burst: 20 }

/** The first glob that fits a tool's exposed name gives its rate; without one, its own declaration does. */
export function createRates(
  rates: Readonly<Record<string, RateConfig>>,
  declared: ReadonlyMap<string, BucketRule> = new Map(),
): (provider: string, tool: string) => BucketRule | undefined {
  const rules = Object.entries(rates).map(([glob, rate]) => ({
    fits: createToolFilter({ allow: [glob], deny: [] }),
    rate,
  }))
  const known = new Map<string, BucketRule | undefined>()
  const find = (tool: string): BucketRule | undefined => {
    if (!known.has(tool)) known.set(tool, rules.find(({ fits }) => fits(tool))?.rate)
    return known.get(tool)
  }
  return (provider, tool) => {
    const configured = rules.length === 0 ? undefined : find(tool)
    if (configured !== undefined || !provider.startsWith(PACK_PROVIDER_PREFIX)) return configured
    return declared.get(tool) ?? PACK_RATE
  }
}
