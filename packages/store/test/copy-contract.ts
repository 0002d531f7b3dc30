/** What is copied out of a store and into one, whatever keeps it. */
import { catchRejection } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { type ExportOptions, exportStore, type Item, importStore, type Store, type StoredItem } from '../src/index.ts'

export function describeCopies(open: () => Promise<Store>, item: (id: string, more?: Partial<Item>) => Item): void {
  async function exportLines(store: Store, options?: ExportOptions): Promise<string[]> {
    const lines: string[] = []
    for await (const line of exportStore(store, options)) lines.push(line)
    return lines
  }

  /** In pieces that end in the middle of lines and letters. */
  async function* bytesOf(text: string, size = 7): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }

  const importText = (store: Store, text: string) => importStore(store, bytesOf(text))

  async function readAll(store: Store, name: string): Promise<Omit<StoredItem, 'revision'>[]> {
    const items = await (await store.space(name)).walk(undefined, 1_000)
    return items.map(({ revision: _, ...rest }) => rest)
  }

  const lineOf = (space: string, stored: Item): string => `${JSON.stringify({ space, item: stored })}\n`

  describe('copies', () => {
    test('what was exported is the same after it was imported, vectors with it where they were asked for', async () => {
      const store = await open()
      const [one, two] = [await store.space('one'), await store.space('two')]
      const odd = item('b', { text: 'line\nbreak "quoted" Ω \u2028', tags: ['ü'], data: { z: 1, a: [null, { b: 1 }] } })
      await one.put([item('a'), odd])
      await two.put(Array.from({ length: 450 }, (_, index) => item(`n${index}`)))
      await one.putVectors('m', [{ id: 'a', revision: 1, values: new Float32Array([3, 4]) }])
      const before = [await readAll(store, 'one'), await readAll(store, 'two')]
      const lines = await exportLines(store, { vectors: true })
      expect(lines).toHaveLength(1 + 452)
      expect((await exportLines(store, { spaces: ['one'] })).join('')).not.toContain('vectors')
      for (const name of ['one', 'two']) {
        const space = await store.space(name)
        await space.remove((await readAll(store, name)).map(({ id }) => id))
      }
      expect(await importText(store, lines.join(''))).toEqual({
        stored: 452,
        left: 0,
        vectors: 1,
        bad: [],
        badCount: 0,
      })
      expect([await readAll(store, 'one'), await readAll(store, 'two')]).toEqual(before)
      const query = { text: 'nothing', scopes: ['here'], limit: 5 }
      const values = new Float32Array([4, 3])
      expect((await one.search({ ...query, vector: { model: 'm', values } })).hits).toMatchObject([
        { item: { id: 'a' }, matched: 'meaning', similarity: expect.closeTo(0.96, 2) },
      ])
      expect((await one.search({ ...query, text: 'quoted' })).hits).toMatchObject([{ item: { id: 'b' } }])
    })

    test('an import done twice changes nothing, and what was changed later stays', async () => {
      const store = await open()
      const space = await store.space('one')
      await space.put([item('a'), item('b'), item('c')])
      const text = (await exportLines(store)).join('')
      await space.change('b', (now) => ({ ...now, text: 'changed later', updatedAt: 2 }))
      await space.change('c', (now) => ({ ...now, text: 'of the same time' }))
      expect(await importText(store, text)).toMatchObject({ stored: 1, left: 2 })
      expect(await space.get('b')).toMatchObject({ text: 'changed later' })
      expect(await space.get('c')).toMatchObject({ text: 'the text of c' })
      const after = await space.walk(undefined, 10)
      expect(await importText(store, text)).toMatchObject({ stored: 0, left: 3 })
      expect(await space.walk(undefined, 10)).toEqual(after)
    })

    test('a wrong line is told with its number, and loses nothing but itself', async () => {
      const store = await open()
      const good = [item('a'), item('b'), item('c')].map((stored) => lineOf('one', stored))
      const [a = '', b = '', c = ''] = good
      const text = `{"switchboard":"store","version":1}\n${a}not json\n\n${b}{"space":"one"}\n{"space":"No!","item":{}}\n${c.replace('"text":', '"txt":')}[]\n${c.trimEnd()}`
      expect(await importText(store, text)).toEqual({
        stored: 3,
        left: 0,
        vectors: 0,
        badCount: 5,
        bad: [3, 6, 7, 8, 9].map((line) => ({ line, why: expect.any(String) })),
      })
      expect(await readAll(store, 'one')).toEqual([item('a'), item('b'), item('c')])
    })

    test('a vector that does not fit is told with its line, and its item is stored', async () => {
      const store = await open()
      await (await store.space('one')).put([item('a')])
      await (await store.space('one')).putVectors('m', [{ id: 'a', revision: 1, values: new Float32Array([1, 2]) }])
      const vectors = [{ model: 'm', values: Buffer.alloc(12).toString('base64') }]
      const text = `${JSON.stringify({ space: 'one', item: item('b'), vectors })}\n`
      expect(await importText(store, text)).toMatchObject({ stored: 1, vectors: 0, bad: [{ line: 1 }] })
    })

    test('of two lines with one id the later one counts', async () => {
      const store = await open()
      const text = lineOf('one', item('a')) + lineOf('one', item('a', { text: 'again', updatedAt: 5 }))
      expect(await importText(store, text)).toMatchObject({ stored: 2 })
      expect(await readAll(store, 'one')).toEqual([item('a', { text: 'again', updatedAt: 5 })])
    })

    test('an export of a newer Switchboard is refused as a whole', async () => {
      const store = await open()
      const text = `{"switchboard":"store","version":99}\n${lineOf('one', item('a'))}`
      expect(await catchRejection(importText(store, text))).toMatchObject({ code: 'store_newer' })
      expect((await store.status()).items).toEqual({})
    })

    test('who gives up in the middle has whole items only', async () => {
      const store = await open()
      const gone = new AbortController()
      async function* chunks(): AsyncGenerator<Uint8Array> {
        for (let index = 0; index < 2_000; index++) {
          if (index === 1_500) gone.abort(new Error('nobody waits any more'))
          yield Buffer.from(lineOf('one', item(`n${index}`)))
        }
      }
      await expect(importStore(store, chunks(), { signal: gone.signal })).rejects.toThrow('nobody waits any more')
      expect((await store.status()).items).toEqual({ one: 1_500 })
    })
  })
}
