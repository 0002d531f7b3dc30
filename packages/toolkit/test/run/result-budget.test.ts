import { isJsonObject } from '@switchboard/protocol'
import type { ReadResourceResult } from '@switchboard/protocol/mcp'
import { createCall, FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import type { Pack, ToolOutcome } from '../../src/index.ts'
import { cutToBytes, ResultStore } from '../../src/run/result-store.ts'
import { callTool, createSmallPack, declare } from '../helpers/small-pack.ts'

const LINES = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n')

function createWith(outcome: ToolOutcome, options: Parameters<typeof createSmallPack>[1] = {}): Pack {
  return createSmallPack([[declare('a.b'), () => outcome]], { maxBytes: 1_000, ...options }).pack
}

async function read(pack: Pack, uri: string, instance = 'tt79-6f854d') {
  // A pack's answer to resources/read is always one.
  const result = (await pack.request(
    'resources/read',
    { uri },
    createCall({ caller: { instance } }),
  )) as ReadResourceResult
  return result.contents[0]
}

function uriOf(text: string): string {
  return /switchboard:\S+/.exec(text)?.[0] ?? ''
}

describe('a result over the budget', () => {
  it('within it is whole', async () => {
    const { text, envelope } = await callTool(createWith({ data: 'x'.repeat(998) }), 'a_b')
    expect(text).toHaveLength(1_000)
    expect(envelope.meta).not.toHaveProperty('truncated')
  })

  it('with data alone is cut in the text, and left out of the structured content', async () => {
    const pack = createWith({ data: { lines: LINES } })
    const { result, text, envelope } = await callTool(pack, 'a_b')
    const whole = JSON.stringify({ lines: LINES })
    expect(text).toBe(
      `${whole.slice(0, 1_000)}\n\n[Cut here; the whole, ${whole.length} bytes, can be read as the resource ${uriOf(text)} (in characters).]`,
    )
    expect(envelope.data).toBeUndefined()
    expect(envelope.meta).toMatchObject({
      truncated: { bytes: whole.length, mimeType: 'application/json', offset: 1_000 },
    })
    expect(JSON.stringify(result).length).toBeLessThan(2_000)
    expect(await read(pack, uriOf(text).split('?')[0] ?? '')).toMatchObject({
      mimeType: 'application/json',
      text: whole,
    })
    expect(await read(pack, uriOf(text))).toMatchObject({
      text: whole.slice(1_000, 17_000),
      _meta: { total: whole.length, offset: 1_000 },
    })
  })

  it('with a text of its own is cut at a line, and the next piece goes on there', async () => {
    const pack = createWith({ data: { count: 400 }, text: LINES })
    const { text, envelope } = await callTool(pack, 'a_b')
    const shown = text.slice(0, text.indexOf('\n\n['))
    expect(shown).toMatch(/line \d+$/)
    expect(envelope.data).toEqual({ count: 400 })
    const rest = await read(pack, uriOf(text))
    expect(`${shown}\n${rest?.text}`).toBe(LINES)
    expect(rest?.mimeType).toBe('text/plain')
  })

  it('with a short text and long data keeps the text and says where the data is', async () => {
    const pack = createWith({ data: { lines: LINES }, text: '400 lines' })
    const { text, envelope } = await callTool(pack, 'a_b')
    expect(text).toMatch(
      /^400 lines\n\n\[The data, \d+ bytes of JSON, can be read as the resource \S+\?offset=0&length=16000/,
    )
    expect(envelope.data).toBeUndefined()
    expect((await read(pack, uriOf(text)))?.text).toBe(JSON.stringify({ lines: LINES }))
  })

  it('says so when even the stored one is not whole', async () => {
    const pack = createWith({ data: 1, text: LINES }, { results: { maxResultBytes: 1_500 } })
    const { text } = await callTool(pack, 'a_b')
    expect(text).toMatch(/Only the first 1500 characters of it were kept\.\]$/)
  })

  it('is not readable by another instance, which is told no more than of one that never was', async () => {
    const pack = createWith({ data: LINES })
    const uri = uriOf((await callTool(pack, 'a_b')).text)
    await expect(read(pack, uri, 'u0a1-9c33e1')).rejects.toMatchObject({
      code: 'unknown_resource',
      message: `There is no stored result ${uri}`,
    })
    await expect(read(pack, 'switchboard://results/other/1')).rejects.toMatchObject({ code: 'unknown_resource' })
    expect((await read(pack, uri))?.text).toBeTypeOf('string')
  })

  it('of a caller without window and session is read by its id, whatever connection it comes by', async () => {
    const pack = createWith({ data: LINES })
    const nameless = (lane: string) => {
      const { instance: _window, ...caller } = createCall().caller
      return { ...createCall(), caller: { ...caller, lane } }
    }
    const uri = uriOf((await callTool(pack, 'a_b', {}, nameless('connection:1'))).text)
    expect(await pack.request('resources/read', { uri }, nameless('connection:2'))).toMatchObject({
      contents: [{ uri }],
    })
    await expect(read(pack, uri)).rejects.toMatchObject({ code: 'unknown_resource' })
  })

  it('is forgotten with its instance', async () => {
    const pack = createWith({ data: LINES })
    const uri = uriOf((await callTool(pack, 'a_b')).text)
    expect(pack.status().storedResults).toMatchObject({ count: 1 })
    pack.release('tt79-6f854d')
    expect(pack.status().storedResults).toEqual({ count: 0, bytes: 0 })
    await expect(read(pack, uri)).rejects.toMatchObject({ code: 'unknown_resource' })
  })

  it('has a range that must be numbers, and may lie beyond the end', async () => {
    const pack = createWith({ data: LINES })
    const uri = uriOf((await callTool(pack, 'a_b')).text).split('?')[0]
    await expect(read(pack, `${uri}?offset=-1`)).rejects.toThrow('offset in')
    await expect(read(pack, `${uri}?length=x`)).rejects.toThrow('must be a whole number, not "x"')
    expect((await read(pack, `${uri}?offset=999999`))?.text).toBe('')
  })

  it('is reached by the template that the pack lists', () => {
    expect(createWith({ data: 1 }).catalog().templates).toMatchObject([
      { uriTemplate: 'switchboard://results/small/{id}{?offset,length}' },
    ])
  })
})

describe('the store of results', () => {
  const kilobyte = 'x'.repeat(1_024)

  it('drops what was not read for longest when it is full', () => {
    const store = new ResultStore({ maxBytes: 3_072 })
    const [first, second, third] = ['a', 'b', 'c'].map((owner) => store.add(owner, kilobyte, 'text/plain').id)
    store.get('a', first ?? '')
    store.add('d', kilobyte, 'text/plain')
    expect(store.get('b', second ?? '')).toBeUndefined()
    expect(store.get('a', first ?? '')).toBeDefined()
    expect(store.get('c', third ?? '')).toBeDefined()
    expect(store.bytes).toBe(3_072)
  })

  it('lets one owner push out only its own', () => {
    const store = new ResultStore({ maxBytes: 10_240, maxOwnerBytes: 2_048 })
    const quiet = store.add('quiet', kilobyte, 'text/plain').id
    for (let index = 0; index < 50; index++) store.add('loud', kilobyte, 'text/plain')
    expect(store.get('quiet', quiet)).toBeDefined()
    expect(store.bytes).toBe(3_072)
    expect(store.count).toBe(3)
  })

  it('keeps the newest even when it is as large as all', () => {
    const store = new ResultStore({ maxBytes: 1_000 })
    const { id } = store.add('a', kilobyte, 'text/plain')
    expect(store.get('a', id)?.text).toHaveLength(1_000)
    expect(store.get('a', id)?.bytes).toBe(1_024)
  })
})

describe('a stored result that nobody reads', () => {
  it('is forgotten an hour after it was stored or last read', async () => {
    const clock = new FakeClock()
    const store = new ResultStore({}, clock)
    const [read, unread] = [store.add('a', 'one', 'text/plain').id, store.add('a', 'two', 'text/plain').id]
    clock.advance(40 * 60_000)
    expect(store.get('a', read)?.text).toBe('one')
    clock.advance(20 * 60_000)
    expect(store.get('a', unread)).toBeUndefined()
    expect(store.count).toBe(1)
    clock.advance(40 * 60_000)
    expect({ count: store.count, bytes: store.bytes }).toEqual({ count: 0, bytes: 0 })
    expect(store.get('a', read)).toBeUndefined()
    store.add('a', 'three', 'text/plain')
    clock.advance(60 * 60_000)
    expect(store.count).toBe(0)
  })

  it('says what to do when it is asked for after that', async () => {
    const clock = new FakeClock()
    const pack = createWith({ data: 1, text: LINES }, { clock, results: { ttlMs: 1_000 } })
    const { text } = await callTool(pack, 'a_b')
    expect((await read(pack, uriOf(text)))?.text).toContain('line 399')
    clock.advance(1_000)
    await expect(read(pack, uriOf(text))).rejects.toMatchObject({
      code: 'unknown_resource',
      hint: expect.stringContaining('Call the tool again.'),
    })
  })
})

describe('cutting to bytes', () => {
  it.each([
    ['abc', 10, 'abc'],
    ['abcdef', 3, 'abc'],
    ['aé', 2, 'a'],
    ['aé', 3, 'aé'],
    ['😀😀', 7, '😀'],
    ['ab😀', 3, 'ab'],
    ['日本語', 4, '日'],
    ['x', 0, ''],
  ])('%j to %d is %j', (text, bytes, expected) => {
    expect(cutToBytes(text, bytes)).toBe(expected)
  })
})

it('data that is no object is an answer as well', async () => {
  for (const data of [null, 0, '', []]) {
    const { envelope } = await callTool(createWith({ data }), 'a_b')
    expect(isJsonObject(envelope) && envelope.data).toEqual(data)
  }
})
