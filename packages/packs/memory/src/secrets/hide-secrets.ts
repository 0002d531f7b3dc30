/**
 * No secret goes into the store, and none comes out: what an agent gives is masked before a tool sees it, and what a tool
 * answers is masked before an agent does. Whoever gave a secret is told what of it is gone. What is hidden in a text from people
 * is written out likewise: what one project shares must not carry orders for the agents of another.
 */
import { showHidden } from '@switchboard/base'
import { scanSecrets } from '@switchboard/telemetry'

export { scanSecrets }

/** How many of each kind. */
export type FoundSecrets = ReadonlyMap<string, number>

export interface HiddenSecrets<T> {
  readonly value: T
  readonly found: FoundSecrets
}

/** Every text in a value of JSON, names of members left as they are. The same value where there is nothing to hide. */
export function hideSecrets<T>(value: T, isKept: (name: string) => boolean = () => false): HiddenSecrets<T> {
  const found = new Map<string, number>()
  let isChanged = false
  const hide = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const scan = scanSecrets(part)
      for (const [kind, count] of scan.found) found.set(kind, (found.get(kind) ?? 0) + count)
      const text = showHidden(scan.text)
      if (text !== part) isChanged = true
      return text
    }
    if (Array.isArray(part)) return part.map(hide)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => [name, isKept(name) ? member : hide(member)]),
    )
  }
  // The shape stays: only texts are replaced, by texts.
  const hidden = hide(value) as T
  return { value: isChanged ? hidden : value, found }
}

/** One sentence for the agent; undefined: there was none. */
export function describeSecrets(found: FoundSecrets): string | undefined {
  if (found.size === 0) return undefined
  const kinds = [...found].map(([kind, count]) => (count === 1 ? kind : `${count} × ${kind}`))
  return `Masked before it was stored: ${kinds.join(', ')}.`
}
