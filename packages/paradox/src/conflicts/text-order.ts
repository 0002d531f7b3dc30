/** Rule P5: of texts with one key the first read wins, unless one is in a folder `replace`; the one at the top of all beats the others. */
import { compareLoadOrder } from '../order/load-order.ts'
import type { PlaysetDefinition } from './conflict.ts'

/** The one in effect first. */
export function rankTexts(definitions: readonly PlaysetDefinition[]): PlaysetDefinition[] {
  return [...definitions].sort((a, b) => {
    const tier = tierOf(b.path) - tierOf(a.path)
    if (tier !== 0) return tier
    const order = compareLoadOrder(a.path, b.path, 'plain-path') || a.start - b.start
    // What overwrites, overwrites what was read before it.
    return tierOf(a.path) > 0 ? -order : order
  })
}

function tierOf(path: string): number {
  const folders = path.toLowerCase().split('/').slice(0, -1)
  if (folders[1] === 'replace') return 2
  return folders.includes('replace') ? 1 : 0
}
