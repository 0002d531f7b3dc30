/** What every store must do, whatever keeps it. */
import { catchRejection } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import type { Item, Space, Store } from '../src/index.ts'

export const item = (id: string, more: Partial<Item> = {}): Item => ({
  id,
  kind: 'note',
  scope: 'here',
  text: `the text of ${id}`,
  tags: [],
  data: {},
  createdAt: 1,
  updatedAt: 1,
  ...more,
})

/** `open`: whoever opens it closes it after the test. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  const openSpace = async (): Promise<Space> => await (await open()).space('notes')

  describe(name, () => {
    test('what was put is there, as it was', async () => {
      const space = await openSpace()
      const stored = item('a', {
        tags: ['x', 'ü'],
        data: { deep: [{ n: 1 }], text: 'Ω "quoted" \u0001' },
        text: 'some text',
      })
      await space.put([stored])
      expect(await space.get('a')).toEqual({ ...stored, revision: 1 })
      expect(await space.get('b')).toBeUndefined()
    })

    test('what is put again replaces the old, and is found by its new text only', async () => {
      const space = await openSpace()
      await space.put([item('a', { text: 'old words' })])
      await space.put([item('a', { text: 'fresh sentence' })])
      const search = async (text: string) => (await space.search({ text, scopes: ['here'], limit: 5 })).hits
      expect(await search('words')).toEqual([])
      expect(await search('sentence')).toMatchObject([{ item: { id: 'a', revision: 2 } }])
    })

    test('all of one call is stored, or nothing', async () => {
      const space = await openSpace()
      // Its data cannot be written as JSON by any engine.
      const broken = item('b', { data: { value: 1n as unknown as number } })
      await catchRejection(space.put([item('a'), broken]))
      expect(await space.get('a')).toBeUndefined()
      await space.put([item('c')])
      expect(await space.get('c')).toMatchObject({ id: 'c' })
    })

    test('what was removed is not there, and not found', async () => {
      const space = await openSpace()
      await space.put([item('a'), item('b')])
      expect(await space.remove(['a', 'nobody'])).toBe(1)
      expect(await space.get('a')).toBeUndefined()
      expect((await space.search({ text: 'text', scopes: ['here'], limit: 5 })).hits).toHaveLength(1)
      expect((await space.list({ scopes: ['here'], limit: 5 })).total).toBe(1)
    })

    test('changes of many at once are all done, one after the other', async () => {
      const space = await openSpace()
      await space.put([item('a', { data: { count: 0 } })])
      const increase = () => space.change('a', (now) => ({ ...now, data: { count: Number(now.data.count) + 1 } }))
      await Promise.all(Array.from({ length: 8 }, increase))
      expect(await space.get('a')).toMatchObject({ data: { count: 8 }, revision: 9 })
      expect(await space.change('nobody', (now) => now)).toBeUndefined()
    })

    test('a list tells the newest first, page by page, of the scopes, kinds and tags that are asked for', async () => {
      const space = await openSpace()
      const items = Array.from({ length: 7 }, (_, index) =>
        item(`n${index}`, { createdAt: index, updatedAt: -index, tags: index % 2 === 0 ? ['even'] : [] }),
      )
      await space.put([...items, item('other', { kind: 'task', createdAt: 99 }), item('foreign', { scope: 'there' })])
      const idsOf = async (query: Partial<Parameters<Space['list']>[0]>) => {
        const page = await space.list({ scopes: ['here'], limit: 3, ...query })
        return [page.items.map(({ id }) => id).join(' '), page.total]
      }
      expect(await idsOf({})).toEqual(['other n6 n5', 8])
      expect(await idsOf({ offset: 6 })).toEqual(['n1 n0', 8])
      expect(await idsOf({ kinds: ['note'], sortBy: 'updatedAt' })).toEqual(['n0 n1 n2', 7])
      expect(await idsOf({ tags: ['even'] })).toEqual(['n6 n4 n2', 4])
      expect(await idsOf({ scopes: [] })).toEqual(['', 0])
    })

    test('a search sees its scopes, kinds and tags only', async () => {
      const space = await openSpace()
      await space.put([
        item('a', { text: 'zombie process' }),
        item('b', { text: 'zombie process', scope: 'there' }),
        item('c', { text: 'zombie process', kind: 'task' }),
        item('d', { text: 'zombie process', tags: ['red', 'big'] }),
        item('e', { text: 'zombie process', tags: ['red'] }),
      ])
      const idsOf = async (query: Partial<Parameters<Space['search']>[0]>) => {
        const { hits } = await space.search({ text: 'zombie', scopes: ['here'], limit: 10, ...query })
        return hits.map((hit) => hit.item.id).sort()
      }
      expect(await idsOf({})).toEqual(['a', 'c', 'd', 'e'])
      expect(await idsOf({ scopes: ['there'] })).toEqual(['b'])
      expect(await idsOf({ scopes: ['here', 'there'], kinds: ['note'] })).toEqual(['a', 'b', 'd', 'e'])
      expect(await idsOf({ tags: ['red', 'big'] })).toEqual(['d'])
      expect(await idsOf({ scopes: [] })).toEqual([])
      expect(await idsOf({ kinds: ['nothing'] })).toEqual([])
    })

    test('an empty answer tells how much was looked through', async () => {
      const space = await openSpace()
      const search = (scopes: string[]) => space.search({ text: 'absent', scopes, limit: 5 })
      expect(await search(['here'])).toEqual({ hits: [], searched: 0 })
      await space.put([item('a'), item('b', { scope: 'there' })])
      expect(await search(['here'])).toEqual({ hits: [], searched: 1 })
      expect(await search(['nowhere'])).toEqual({ hits: [], searched: 0 })
    })

    test.each([
      '"; DROP TABLE notes_items; --',
      'a AND b OR NOT c NEAR(d e, 2)',
      'scope : here',
      '* ^ " \' ( ) { } :',
      '\u0000 \uFFFF \uD800',
      '   ',
      'x'.repeat(100_000),
    ])('a query is data, whatever it holds (%#)', async (text) => {
      const space = await openSpace()
      await space.put([item('a', { text }), item('b', { text: 'plain' })])
      await space.search({ text, scopes: ['here'], limit: 5 })
      expect(await space.get('a')).toMatchObject({ text: text.replaceAll('\uD800', '\uFFFD') })
      expect((await space.search({ text: 'plain', scopes: ['here'], limit: 5 })).hits).toHaveLength(1)
    })

    test('a text of ten megabytes is stored and found', async () => {
      const space = await openSpace()
      const text = `${'lorem ipsum dolor '.repeat(580_000)} needle`
      await space.put([item('a', { text })])
      expect((await space.get('a'))?.text).toHaveLength(text.length)
      expect((await space.search({ text: 'needle', scopes: ['here'], limit: 1 })).hits).toHaveLength(1)
    })

    test('who gave up is told so at once, and others are served', async () => {
      const space = await openSpace()
      await space.put([item('a')])
      const gone = new AbortController()
      const reads = Array.from({ length: 20 }, () => space.get('a', { signal: gone.signal }))
      gone.abort(new Error('nobody waits any more'))
      const outcomes = await Promise.allSettled(reads)
      expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
      expect(await space.get('a')).toMatchObject({ id: 'a' })
    })

    test('no space sees what is in another', async () => {
      const store = await open()
      const [one, two] = [await store.space('one'), await store.space('two')]
      await one.put([item('a', { text: 'secret plan' })])
      expect(await two.get('a')).toBeUndefined()
      expect(await two.search({ text: 'secret plan', scopes: ['here'], limit: 5 })).toEqual({ hits: [], searched: 0 })
      expect((await two.list({ scopes: ['here'], limit: 5 })).total).toBe(0)
      expect(await two.remove(['a'])).toBe(0)
      expect(await store.status()).toMatchObject({ items: { one: 1, two: 0 } })
    })
  })
}
