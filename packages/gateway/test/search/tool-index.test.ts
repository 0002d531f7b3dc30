import type { Tool } from '@switchboard/protocol/mcp'
import { describe, expect, it } from 'vitest'
import { createToolIndex } from '../../src/search/tool-index.ts'
import { tool } from '../helpers/fake-provider.ts'
import { LOOSE_QUERIES, QUERIES, REALISTIC_TOOLS } from './realistic-tools.ts'

const index = await createToolIndex(REALISTIC_TOOLS)
const find = async (query: string, limit = 3) => (await index.search(query, limit)).map(({ name }) => name)
const searchIn = async (tools: readonly Tool[], query: string, limit: number) =>
  (await createToolIndex(tools)).search(query, limit)

describe('among sixty tools', () => {
  it.each([...QUERIES, ...LOOSE_QUERIES])('"%s" finds %s', async (query, wanted) => {
    expect(await find(query)).toContain(wanted)
  })

  it('the right one is first for most queries', async () => {
    const found = await Promise.all(QUERIES.map(async ([query, wanted]) => (await find(query, 1))[0] === wanted))
    expect(found.filter(Boolean).length / QUERIES.length).toBeGreaterThanOrEqual(0.8)
  })

  it('every tool is found by its own name', async () => {
    for (const { name } of REALISTIC_TOOLS) expect(await find(name, 1)).toEqual([name])
  })
})

describe('a search', () => {
  it('returns no more than asked for, and nothing that shares no word', async () => {
    expect(await find('file', 2)).toHaveLength(2)
    expect(await find('xylophone')).toEqual([])
    expect(await find('')).toEqual([])
    expect(await find('!!! ???')).toEqual([])
  })

  it('is not led astray by words that say nothing', async () => {
    const tools = [tool('a_to_the_of', { description: 'Does it for me' }), tool('logs_get')]
    const found = await searchIn(tools, 'please show me all of the logs', 1)
    expect(found.map(({ name }) => name)).toEqual(['logs_get'])
    expect((await searchIn(tools, 'to the', 1))[0]?.name).toBe('a_to_the_of')
  })

  it('takes short words as they are: a letter more or less is another word', async () => {
    const tools = [tool('set_key'), tool('get_cat')]
    expect(await searchIn(tools, 'bet', 9)).toEqual([])
    expect(await searchIn(tools, 'car', 9)).toEqual([])
  })

  it('brings the forms of a word together', async () => {
    const forms = ['file files filing', 'create creates created creating creation', 'query queries', 'stop stopped']
    for (const [word = '', ...others] of forms.map((line) => line.split(' '))) {
      const index = await createToolIndex([tool('other'), tool(`x_${word}`)])
      for (const other of others) expect((await index.search(other, 1))[0]?.name, other).toBe(`x_${word}`)
    }
  })

  it('looks at what a parameter may be', async () => {
    const properties = { action: { enum: ['pause', 'resume', 7] }, odd: { enum: 'none' } }
    const tools = [tool('x'), tool('player', { inputSchema: { type: 'object', properties } })]
    expect((await searchIn(tools, 'resume', 1))[0]?.name).toBe('player')
  })

  it('finds pieces of what is written without spaces', async () => {
    const tools = [tool('x', { description: '写入文件' }), tool('y', { description: '读取配置' })]
    expect((await searchIn(tools, '文件', 9)).map(({ name }) => name)).toEqual(['x'])
    expect(await searchIn(tools, '读取文件', 1)).toHaveLength(1)
  })

  it('is quick over a thousand tools, however long the query is', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => tool(`tool_${at}`, { description: `word${at} of ${at % 7}` }))
    const index = await createToolIndex(many)
    expect((await index.search('wrod77 '.repeat(10_000), 5)).length).toBeGreaterThan(0)
    expect(await index.search(Array.from({ length: 50_000 }, (_, at) => `w${at}x`).join(' '), 5)).toEqual([])
  })

  it('looks at the beginning of what is long, and lets others have their turn', async () => {
    const words = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `word${from + at}x`).join(' ')
    const many = Array.from({ length: 300 }, (_, at) => tool(`t${at}`, { description: words(at * 2_000, 2_000) }))
    let turns = 0
    const turn = setInterval(() => turns++, 1)
    const long = await createToolIndex(many)
    expect((await long.search('word2000x', 1))[0]?.name).toBe('t1')
    expect(await long.search('qqqq'.repeat(500), 1)).toEqual([])
    clearInterval(turn)
    expect(turns).toBeGreaterThan(0)
  })

  it('is the same every time, and equals are in the order of the list', async () => {
    const twins = await createToolIndex([tool('b_same'), tool('a_same'), tool('c_same')])
    expect((await twins.search('same', 9)).map(({ name }) => name)).toEqual(['b_same', 'a_same', 'c_same'])
    expect(await find('create a new file')).toEqual(await find('create a new file'))
  })

  it('looks into titles and the descriptions of parameters', async () => {
    const properties = { q: { type: 'string', description: 'An IBAN to validate' } }
    const tools = [tool('x', { inputSchema: { type: 'object', properties } }), tool('y', { title: 'Ledger' })]
    expect((await searchIn(tools, 'iban', 1))[0]?.name).toBe('x')
    expect((await searchIn(tools, 'ledgers', 1))[0]?.name).toBe('y')
  })

  it('ignores case, and takes words of other scripts', async () => {
    const tools = [tool('x', { description: 'Читает файл' }), tool('y', { description: 'Überprüft die Größe' })]
    expect((await searchIn(tools, 'ФАЙЛ', 1))[0]?.name).toBe('x')
    expect((await searchIn(tools, 'größe', 1))[0]?.name).toBe('y')
  })

  it('survives tools without description, with a strange schema, and no tools at all', async () => {
    const strange = tool('odd_one', { inputSchema: { properties: ['x'] } })
    expect(await searchIn([strange], 'odd', 1)).toEqual([strange])
    expect(await searchIn([], 'odd', 1)).toEqual([])
  })
})
