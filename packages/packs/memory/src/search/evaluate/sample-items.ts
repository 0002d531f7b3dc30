import { createHash } from 'node:crypto'
import type { Space, StoredItem } from '@switchboard/store'

const PAGE = 500

/** So many of all that have a text, always the same ones: whoever evaluates again compares with before. */
export async function sampleItems(space: Space, most: number, signal: AbortSignal): Promise<StoredItem[]> {
  let sample: { readonly order: string; readonly item: StoredItem }[] = []
  const shrink = () => {
    sample = sample.sort((a, b) => (a.order < b.order ? -1 : 1)).slice(0, most)
  }
  for (let after: string | undefined; ; ) {
    const page = await space.walk(after, PAGE, { signal })
    for (const item of page) {
      if (item.text.trim() === '') continue
      sample.push({ order: createHash('sha256').update(item.id).digest('hex'), item })
    }
    if (sample.length > 2 * most) shrink()
    after = page.at(-1)?.id
    if (page.length < PAGE || after === undefined) break
  }
  shrink()
  return sample.map(({ item }) => item)
}
