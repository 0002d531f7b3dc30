/** What was counted, from one day to another. */
import type { ReadOptions, Space } from '@switchboard/store'
import { COUNT } from './call-counts.ts'
import { addNumbers, NO_NUMBERS, type Numbers, readNumbers } from './numbers.ts'

export interface DayRange {
  /** `2026-11-18`, both included. */
  readonly from: string
  readonly to: string
}

const PAGE = 500

/** By tool. */
export async function readCounts(
  space: Space,
  scope: string,
  { from, to }: DayRange,
  options: ReadOptions,
): Promise<Map<string, Numbers>> {
  const byTool = new Map<string, Numbers>()
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await space.list({ scopes: [scope], kinds: [COUNT], limit: PAGE, offset }, options)
    for (const { data } of items) {
      const { day, tool } = data
      if (typeof day !== 'string' || typeof tool !== 'string' || day < from || day > to) continue
      byTool.set(tool, addNumbers(byTool.get(tool) ?? NO_NUMBERS, readNumbers(data)))
    }
    const oldest = items.at(-1)?.data.day
    // The newest come first.
    if (items.length < PAGE || (typeof oldest === 'string' && oldest < from)) return byTool
  }
}
