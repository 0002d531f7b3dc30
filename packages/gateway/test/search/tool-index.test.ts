import { describe, expect, it } from 'vitest'
import { createToolIndex } from '../../src/search/tool-index.ts'
import { tool } from '../helpers/fake-provider.ts'
import { LOOSE_QUERIES, QUERIES, REALISTIC_TOOLS } from './realistic-tools.ts'

const index = createToolIndex(REALISTIC_TOOLS)
const find = (query: string, limit = 3): string[] => index.search(query, limit).map(({ name }) => name)

describe('among sixty tools', () => {
  it.each([...QUERIES, ...LOOSE_QUERIES])('"%s" finds %s', (query, wanted) => {
    expect(find(query)).toContain(wanted)
  })

  it('the right one is first for most queries', () => {
    const first = QUERIES.filter(([query, wanted]) => find(query, 1)[0] === wanted)
    expect(first.length / QUERIES.length).toBeGreaterThanOrEqual(0.8)
  })

  it('every tool is found by its own name', () => {
    for (const { name } of REALISTIC_TOOLS) expect(find(name, 1)).toEqual([name])
  })
})

describe('a search', () => {
  it('returns no more than asked for, and nothing that shares no word', () => {
    expect(find('file', 2)).toHaveLength(2)
    expect(find('xylophone')).toEqual([])
    expect(find('')).toEqual([])
    expect(find('!!! ???')).toEqual([])
  })

  it('is not led astray by words that say nothing', () => {
    const tools = [tool('a_to_the_of', { description: 'Does it for me' }), tool('logs_get')]
    const found = createToolIndex(tools).search('please show me all of the logs', 1)
    expect(found.map(({ name }) => name)).toEqual(['logs_get'])
    expect(createToolIndex(tools).search('to the', 1)[0]?.name).toBe('a_to_the_of')
  })

  it('takes short words as they are: a letter more or less is another word', () => {
    const tools = [tool('set_key'), tool('get_cat')]
    expect(createToolIndex(tools).search('bet', 9)).toEqual([])
    expect(createToolIndex(tools).search('car', 9)).toEqual([])
  })

  it('brings the forms of a word together', () => {
    const forms = ['file files filing', 'create creates created creating creation', 'query queries', 'stop stopped']
    for (const [word = '', ...others] of forms.map((line) => line.split(' '))) {
      const index = createToolIndex([tool('other'), tool(`x_${word}`)])
      for (const other of others) expect(index.search(other, 1)[0]?.name, other).toBe(`x_${word}`)
    }
  })

  it('looks at what a parameter may be', () => {
    const properties = { action: { enum: ['pause', 'resume', 7] }, odd: { enum: 'none' } }
    const tools = [tool('x'), tool('player', { inputSchema: { type: 'object', properties } })]
    expect(createToolIndex(tools).search('resume', 1)[0]?.name).toBe('player')
  })

  it('finds pieces of what is written without spaces', () => {
    const tools = [tool('x', { description: '写入文件' }), tool('y', { description: '读取配置' })]
    expect(
      createToolIndex(tools)
        .search('文件', 9)
        .map(({ name }) => name),
    ).toEqual(['x'])
    expect(createToolIndex(tools).search('读取文件', 1)).toHaveLength(1)
  })

  it('is quick over a thousand tools, however long the query is', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => tool(`tool_${at}`, { description: `word${at} of ${at % 7}` }))
    const index = createToolIndex(many)
    expect(index.search('wrod77 '.repeat(10_000), 5).length).toBeGreaterThan(0)
    expect(index.search(Array.from({ length: 50_000 }, (_, at) => `w${at}x`).join(' '), 5)).toEqual([])
  })

  it('is the same every time, and equals are in the order of the list', () => {
    const twins = createToolIndex([tool('b_same'), tool('a_same'), tool('c_same')])
    expect(twins.search('same', 9).map(({ name }) => name)).toEqual(['b_same', 'a_same', 'c_same'])
    expect(find('create a new file')).toEqual(find('create a new file'))
  })

  it('looks into titles and the descriptions of parameters', () => {
    const properties = { q: { type: 'string', description: 'An IBAN to validate' } }
    const tools = [tool('x', { inputSchema: { type: 'object', properties } }), tool('y', { title: 'Ledger' })]
    expect(createToolIndex(tools).search('iban', 1)[0]?.name).toBe('x')
    expect(createToolIndex(tools).search('ledgers', 1)[0]?.name).toBe('y')
  })

  it('ignores case, and takes words of other scripts', () => {
    const tools = [tool('x', { description: 'Читает файл' }), tool('y', { description: 'Überprüft die Größe' })]
    expect(createToolIndex(tools).search('ФАЙЛ', 1)[0]?.name).toBe('x')
    expect(createToolIndex(tools).search('größe', 1)[0]?.name).toBe('y')
  })

  it('survives tools without description, with a strange schema, and no tools at all', () => {
    const strange = tool('odd_one', { inputSchema: { properties: ['x'] } })
    expect(createToolIndex([strange]).search('odd', 1)).toEqual([strange])
    expect(createToolIndex([]).search('odd', 1)).toEqual([])
  })
})
