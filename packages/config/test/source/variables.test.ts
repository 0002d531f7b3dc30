// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of variables is what is written here
import { describe, expect, it } from 'vitest'
import { expandVariables } from '../../src/source/variables.ts'

const env = { NAME: 'value', EMPTY: '', NESTED: '${NAME}' }

describe('expandVariables', () => {
  it.each([
    ['plain $ { } text', 'plain $ { } text'],
    ['${NAME}', 'value'],
    ['a${NAME}b${NAME}c', 'avaluebvaluec'],
    ['[${EMPTY}]', '[]'],
    ['${EMPTY:-default}', 'default'],
    ['${MISSING:-default}', 'default'],
    ['${MISSING:-}', ''],
    ['${NAME:-default}', 'value'],
    ['${MISSING:-a:-b c}', 'a:-b c'],
    ['$${NAME}', '${NAME}'],
    ['$$${NAME}', '$${NAME}'],
    ['$NAME', '$NAME'],
    ['${NESTED}', '${NAME}'],
  ])('expands %j to %j', (text, expected) => {
    expect(expandVariables(text, env)).toEqual({ text: expected, unresolved: [], malformed: [] })
  })

  it('keeps an unresolved variable as it is written and names it', () => {
    expect(expandVariables('${MISSING}/${NAME}/${constructor}', env)).toEqual({
      text: '${MISSING}/value/${constructor}',
      unresolved: ['MISSING', 'constructor'],
      malformed: [],
    })
  })

  it('tells what begins like a variable and is none', () => {
    expect(expandVariables('${env:A} ${} ${9} ${A-B} ${open', env).malformed).toEqual(['env:A', '', '9', 'A-B', 'open'])
  })
})
