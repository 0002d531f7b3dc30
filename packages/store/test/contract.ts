/** What every store must do, whatever keeps it. */
import { catchRejection } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import type { Item, SearchQuery, Space, Store } from '../src/index.ts'
import { describeCopies } from './copy-contract.ts'

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
      expect(await idsOf({ scopes: 'all', limit: 100 })).toEqual(['other n6 n5 n4 n3 n2 foreign n1 n0', 9])
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
      expect(await idsOf({ scopes: 'all' })).toEqual(['a', 'b', 'c', 'd', 'e'])
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

    describe('vectors', () => {
      /** Near to every direction that it names. */
      const vector = (...directions: readonly number[]): Float32Array => {
        const values = new Float32Array(20).fill(0.01)
        for (const direction of directions) values[direction] = 1
        return values
      }

      /** Each item has the vector of the same place; those of undefined have none. */
      async function openWithVectors(
        items: readonly Item[],
        vectors: readonly (Float32Array | undefined)[],
      ): Promise<Space> {
        const space = await openSpace()
        await space.put(items)
        const given = items.flatMap(({ id }, place) => {
          const values = vectors[place]
          return values === undefined ? [] : [{ id, revision: 1, values }]
        })
        expect(await space.putVectors('m', given)).toBe(given.length)
        return space
      }

      const search = async (space: Space, text: string, values: Float32Array, more: Partial<SearchQuery> = {}) => {
        const { hits } = await space.search({
          text,
          scopes: ['here'],
          limit: 10,
          vector: { model: 'm', values },
          ...more,
        })
        return hits.map(({ item: { id }, matched }) => `${id} ${matched}`)
      }

      test('what means the same is found without a word in common, and says how near it is', async () => {
        const items = [item('a', { text: 'apples' }), item('b', { text: 'pears' }), item('c', { text: 'stones' })]
        const space = await openWithVectors(items, [vector(1), vector(1, 2), vector(5)])
        const query = { text: 'fruit', scopes: ['here'], limit: 2, vector: { model: 'm', values: vector(1) } }
        const { hits } = await space.search(query)
        expect(hits).toMatchObject([
          { item: { id: 'a' }, matched: 'meaning', share: 0, similarity: expect.closeTo(1, 2) },
          { item: { id: 'b' }, matched: 'meaning', share: 0, similarity: expect.closeTo(Math.SQRT1_2, 1) },
        ])
      })

      test('what words and meaning find comes before what one of them finds', async () => {
        const items = [item('a', { text: 'apples' }), item('b', { text: 'ripe fruit' }), item('c', { text: 'fruit' })]
        const space = await openWithVectors(items, [vector(1), vector(1, 2), undefined])
        expect(await search(space, 'ripe fruit', vector(1))).toEqual(['b both', 'a meaning', 'c text'])
      })

      test('an exact name comes first, however near something else is', async () => {
        const items = [item('a', { text: 'borrowed values' }), item('b', { text: 'see E0502' }), item('c'), item('d')]
        const space = await openWithVectors(items, [vector(1), vector(9), undefined, undefined])
        expect((await search(space, 'E0502', vector(1)))[0]).toMatch(/^b /)
      })

      test('without a vector of that model, or of that length, words alone decide', async () => {
        const space = await openWithVectors(
          [item('a', { text: 'apples' }), item('b', { text: 'fruit' })],
          [vector(1), vector(2)],
        )
        const vectors = [
          { model: 'other', values: vector(1) },
          { model: 'm', values: new Float32Array([1, 0]) },
        ]
        for (const asked of vectors)
          expect(await search(space, 'fruit', vector(1), { vector: asked })).toEqual(['b text'])
      })

      test('a search by meaning sees its scopes, kinds and tags only', async () => {
        const items = [
          item('a'),
          item('b', { scope: 'there' }),
          item('c', { kind: 'task' }),
          item('d', { tags: ['red'] }),
          item('e', { tags: ['red', 'big'] }),
        ]
        const space = await openWithVectors(
          items,
          [1, 1, 1, 1, 1].map((direction) => vector(direction)),
        )
        const idsOf = async (more: Partial<SearchQuery>) =>
          (await search(space, 'nothing', vector(1), more)).map((line) => line.slice(0, 1)).sort()
        expect(await idsOf({})).toEqual(['a', 'c', 'd', 'e'])
        expect(await idsOf({ scopes: ['there'] })).toEqual(['b'])
        expect(await idsOf({ scopes: 'all' })).toEqual(['a', 'b', 'c', 'd', 'e'])
        expect(await idsOf({ kinds: ['note'], tags: ['red'] })).toEqual(['d', 'e'])
        expect(await idsOf({ scopes: [] })).toEqual([])
      })

      test('they go with their item, and when its text changes; another change leaves them', async () => {
        const space = await openWithVectors([item('a'), item('b'), item('c')], [vector(1), vector(1), vector(1)])
        const missing = async () => (await space.listWithoutVector('m', 10)).map(({ id }) => id)
        expect(await search(space, 'nothing', vector(1))).toHaveLength(3)
        await space.remove(['a'])
        await space.change('b', (now) => ({ ...now, text: 'another text' }))
        await space.change('c', (now) => ({ ...now, tags: ['new'], scope: 'there' }))
        expect(await missing()).toEqual(['b'])
        expect(await search(space, 'nothing', vector(1))).toEqual([])
        expect(await search(space, 'nothing', vector(1), { scopes: ['there'] })).toEqual(['c meaning'])
        // Who comes with the old text of it is too late.
        expect(await space.putVectors('m', [{ id: 'b', revision: 1, values: vector(1) }])).toBe(0)
        expect(await space.putVectors('m', [{ id: 'b', revision: 2, values: vector(1) }])).toBe(1)
        expect(await missing()).toEqual([])
        expect(await search(space, 'nothing', vector(1))).toEqual(['b meaning'])
      })

      test('those that are still to be made are told, the oldest first', async () => {
        const space = await openWithVectors([item('a'), item('b'), item('c')], [undefined, vector(1), undefined])
        const idsOf = async (model: string, limit: number) =>
          (await space.listWithoutVector(model, limit)).map(({ id }) => id)
        expect(await idsOf('m', 10)).toEqual(['a', 'c'])
        expect(await idsOf('m', 1)).toEqual(['a'])
        expect(await idsOf('other', 2)).toEqual(['a', 'b'])
      })

      test('those of a model that is not kept are gone, and it may come back with another length', async () => {
        const space = await openWithVectors([item('a')], [vector(1)])
        await space.putVectors('n', [{ id: 'a', revision: 1, values: new Float32Array([1, 2, 3]) }])
        expect(await search(space, 'nothing', vector(1))).toEqual(['a meaning'])
        await space.keepVectorsOf(['n'])
        expect(await search(space, 'nothing', vector(1))).toEqual([])
        expect(await space.listWithoutVector('m', 10)).toHaveLength(1)
        expect(await space.listWithoutVector('n', 10)).toEqual([])
        const values = new Float32Array([0, 1])
        expect(await space.putVectors('m', [{ id: 'a', revision: 1, values }])).toBe(1)
        expect(await search(space, 'nothing', values)).toEqual(['a meaning'])
      })

      test.each([
        ['of another length', new Float32Array(3)],
        ['without numbers', new Float32Array(0)],
        ['that holds what is no number', new Float32Array(20).fill(Number.NaN)],
      ])('one %s fails the call, and nothing of it is stored', async (_, values) => {
        const space = await openWithVectors([item('a'), item('b'), item('c')], [vector(1), undefined, undefined])
        const vectors = [
          { id: 'b', revision: 1, values: vector(2) },
          { id: 'c', revision: 1, values },
        ]
        await catchRejection(space.putVectors('m', vectors))
        expect(await space.listWithoutVector('m', 10)).toHaveLength(2)
      })

      test('one of nothing but zeros is near to nothing', async () => {
        const space = await openWithVectors([item('a')], [new Float32Array(20)])
        expect(await search(space, 'nothing', vector(1))).toEqual([])
        expect(await space.listWithoutVector('m', 10)).toEqual([])
      })

      test('they are told as directions, for whoever copies them', async () => {
        const space = await openWithVectors([item('a'), item('b')], [new Float32Array([3, 4]), undefined])
        const told = await space.vectorsOf(['a', 'b', 'nobody'])
        expect(told).toEqual([{ id: 'a', model: 'm', values: expect.any(Float32Array) }])
        expect([...(told[0]?.values ?? [])]).toEqual([expect.closeTo(0.6, 2), expect.closeTo(0.8, 2)])
      })
    })

    test('a walk tells everything once, in the order of the ids, page by page', async () => {
      const space = await openSpace()
      const ids = ['b', 'B', 'a-1', 'ü', 'a', '10', '9']
      await space.put(ids.map((id) => item(id, { scope: id })))
      const seen: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await space.walk(after, 2)
        if (page.length === 0) break
        seen.push(...page.map(({ id }) => id))
        after = seen.at(-1)
      }
      expect(seen).toHaveLength(ids.length)
      expect(seen.toSorted()).toEqual(ids.toSorted())
    })

    test('a hit tells how much of what was asked for stands in it', async () => {
      const space = await openSpace()
      const others = Array.from({ length: 9 }, (_, index) => item(`n${index}`, { text: 'the process of a server' }))
      await space.put([item('a', { text: 'a zombie process' }), ...others])
      const { hits } = await space.search({ text: 'zombie process', scopes: ['here'], limit: 5 })
      expect(hits[0]).toMatchObject({ item: { id: 'a' }, matched: 'text', share: expect.closeTo(1, 5) })
      expect(hits[0]).not.toHaveProperty('similarity')
      expect(hits[1]?.share).toBeGreaterThan(0)
      expect(hits[1]?.share).toBeLessThan(0.3)
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

    describeCopies(open, item)
  })
}
