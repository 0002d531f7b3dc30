import type { BucketRule } from '@switchboard/gateway'
import type { RateConfig } from '@switchboard/pool'
import { createToolFilter } from '@switchboard/protocol'

/** The first glob that fits a tool's exposed name gives its rate. Undefined when there are no rates at all. */
export function createRates(
  rates: Readonly<Record<string, RateConfig>>,
): ((provider: string, tool: string) => BucketRule | undefined) | undefined {
  const rules = Object.entries(rates).map(([glob, rate]) => ({
    fits: createToolFilter({ allow: [glob], deny: [] }),
    rate,
  }))
  if (rules.length === 0) return undefined
  const known = new Map<string, BucketRule | undefined>()
  return (_provider, tool) => {
    if (!known.has(tool)) known.set(tool, rules.find(({ fits }) => fits(tool))?.rate)
    return known.get(tool)
  }
}
