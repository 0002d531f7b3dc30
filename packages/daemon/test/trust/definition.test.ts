import { EMPTY_CATALOG } from '@switchboard/protocol'
import { describe, expect, test } from 'vitest'
import { fingerprint, keyOf, listDefinitions } from '../../src/trust/definition.ts'
import { diffDefinitions, nameDifferences } from '../../src/trust/describe-definition.ts'

describe('what a definition is', () => {
  test('is what a model acts on, of tools, prompts and the server itself', () => {
    const definitions = listDefinitions({
      ...EMPTY_CATALOG,
      tools: [
        {
          name: 'echo',
          description: 'Says it.',
          inputSchema: { type: 'object' },
          annotations: {},
          icons: [1],
          _meta: {},
        },
      ],
      prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }],
      instructions: 'Be kind.',
    })
    expect(definitions).toEqual([
      { kind: 'tool', name: 'echo', content: { description: 'Says it.', inputSchema: { type: 'object' } } },
      { kind: 'prompt', name: 'greet', content: { arguments: [{ name: 'who' }] } },
      { kind: 'instructions', name: '', content: { text: 'Be kind.' } },
    ])
    expect(definitions.map(keyOf)).toEqual(['tool:echo', 'prompt:greet', 'instructions:'])
  })

  test.each([
    ['the order of members', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['the order of what is required', { required: ['a', 'b'] }, { required: ['b', 'a'] }],
    ['the order of choices', { enum: ['x', 2, null] }, { enum: [null, 'x', 2] }],
    [
      'the dialect of a schema',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
      { type: 'object' },
    ],
  ])('%s changes nothing', (_, one, other) => {
    expect(fingerprint(one)).toBe(fingerprint(other))
  })

  test.each([
    ['a word', { description: 'Reads.' }, { description: 'Reads' }],
    ['a character that nobody sees', { description: 'Reads.' }, { description: 'Reads.\u200b' }],
    ['the order of a list that is one', { examples: [1, 2] }, { examples: [2, 1] }],
    ['a hint', { annotations: { readOnlyHint: true } }, { annotations: { readOnlyHint: false } }],
    ['a parameter named $schema', { properties: { $schema: { type: 'string' } } }, { properties: {} }],
    ['text in place of a number', { default: '1' }, { default: 1 }],
  ])('%s changes it', (_, one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other))
  })
})

describe('a difference', () => {
  test('is named by what differs', () => {
    const before = { description: 'a', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
    expect(nameDifferences(before, { ...before, description: 'b' })).toBe('description')
    expect(nameDifferences(before, { description: 'b', inputSchema: {} })).toBe(
      'description, input schema and annotations',
    )
  })

  test('is shown sentence by sentence, with what nobody sees written out', () => {
    const before = { description: 'One. Two. Three.' }
    const lines = diffDefinitions(before, { description: 'One. Two\u202e. Three.' })
    expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: '  Two.' },
      { kind: 'added', text: '  Two\\u202e.' },
    ])
  })

  test('that is further on than anybody reads is told as that', () => {
    const text = 'word '.repeat(10_000)
    const lines = diffDefinitions({ text: `${text}a` }, { text: `${text}b` })
    expect(lines).toEqual([{ kind: 'gap', text: 'what differs is further on than is shown' }])
  })

  test('of what was never accepted is all of it, and a long one is cut', () => {
    expect(diffDefinitions(undefined, { text: 'New.' })).toEqual([{ kind: 'added', text: 'text: New.' }])
    const lines = diffDefinitions(undefined, { text: 'line\n'.repeat(5_000) })
    expect(lines.length).toBeLessThan(500)
    expect(lines.at(-1)?.text).toMatch(/more lines/)
  })
})
