import type { ToolOutcome } from '@switchboard/toolkit'
import type { Pattern } from '../diagnosis/pattern.ts'
import { type Count, NO_COUNT } from '../diagnosis/pattern-counts.ts'
import type { ListPatternsData, ListPatternsParams } from '../generated/types.ts'
import type { Context } from '../host.ts'

export async function run(
  { category, severity, minSuccessRate, limit }: ListPatternsParams,
  { host, signal }: Context,
): Promise<ToolOutcome<ListPatternsData>> {
  const { patterns } = await host.loadMatcher()
  const counts = await host.patternCounts.read(signal)
  const wanted = patterns
    .map((pattern) => describe(pattern, counts.get(pattern.id) ?? NO_COUNT))
    .filter((pattern) => category === undefined || pattern.category === category)
    .filter((pattern) => severity === undefined || pattern.severity === severity)
    .filter(
      ({ successRate }) => minSuccessRate === undefined || (successRate !== null && successRate >= minSuccessRate),
    )
    .sort((one, other) => other.usageCount - one.usageCount)
  const shown = wanted.slice(0, limit)
  const data = { patterns: shown, total: wanted.length }
  if (shown.length === 0) return { data, text: `None of ${patterns.length} patterns is so. Leave a filter out.` }
  const lines = shown.map(({ id, errorPattern, category: kind, usageCount }) => {
    return `${id} [${kind}] ${errorPattern}${usageCount === 0 ? '' : ` (the answer ${usageCount} times)`}`
  })
  const rest = wanted.length - shown.length
  return { data, text: `${lines.join('\n')}${rest > 0 ? `\n${rest} more: raise limit, or choose a category.` : ''}` }
}

function describe({ id, title, category, severity, cause, steps, tags }: Pattern, count: Count) {
  const told = count.worked + count.failed
  return {
    ...{ id, category, severity },
    errorPattern: title,
    rootCause: cause,
    solution: steps.map(({ what }) => what).join('; '),
    successRate: told === 0 ? null : count.worked / told,
    tags: [...tags],
    usageCount: count.uses,
    lastUsed: count.lastUsed === undefined ? null : new Date(count.lastUsed).toISOString(),
  }
}
