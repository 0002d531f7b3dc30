import { describe, expect, it } from 'vitest'
import { createToolIndex } from '../../src/search/tool-index.ts'
import { tool } from '../helpers/fake-provider.ts'
import { QUERIES, REALISTIC_TOOLS } from './realistic-tools.ts'

const index = createToolIndex(REALISTIC_TOOLS)
const find = (query: string, limit = 3): string[] => index.search(query, limit).map(({ name }) => name)

describe('among sixty tools', () => {
  it.each(QUERIES)('"%s" finds %s', (query, wanted) => {
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
