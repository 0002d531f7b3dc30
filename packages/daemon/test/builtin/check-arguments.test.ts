import { formatErrorText, SwitchboardError, type Tool } from '@switchboard/protocol'
import { expect, it } from 'vitest'
import { checkArguments } from '../../src/builtin/check-arguments.ts'

const TOOL: Tool = {
  name: 'look',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', maxLength: 5 },
      level: { type: 'string', enum: ['low', 'high'] },
      limit: { type: 'integer', minimum: 1, maximum: 9 },
    },
    required: ['text'],
    additionalProperties: false,
  },
}

function refuse(args: unknown): string {
  try {
    checkArguments(TOOL, args)
  } catch (error) {
    if (error instanceof SwitchboardError && error.code === 'invalid_arguments') return formatErrorText(error)
    throw error
  }
  return 'accepted'
}

it('takes what fits, and what is null for left out', () => {
  expect(checkArguments(TOOL, { text: 'abc', level: null, limit: 9 })).toEqual({ text: 'abc', limit: 9 })
})

it.each<[unknown, string]>([
  [undefined, 'text: is required'],
  [[], 'must be an object'],
  [{ text: '' }, 'text: must be a text; got ""'],
  [{ text: 7 }, 'text: must be a text; got 7'],
  [{ text: 'abcdef' }, 'text: has 6 characters; at most 5'],
  [{ text: 'a', level: 'lo' }, 'level: must be one of low, high; got "lo"'],
  [{ text: 'a', limit: 1.5 }, 'limit: must be a whole number from 1 to 9; got 1.5'],
  [{ text: 'a', limit: '3' }, 'limit: must be a whole number from 1 to 9; got "3"'],
  [{ text: 'a', limt: 3 }, 'limt: is unknown; did you mean "limit"?'],
  [{ text: 'a', zzz: 3 }, 'zzz: is unknown; known are text, level, limit'],
  [{ text: 'a', constructor: 1 }, 'constructor: is unknown'],
  [{ limit: 0, level: 1 }, 'level: must be one of low, high; got 1; text: is required'],
])('names the parameter that is wrong: %j', (args, message) => {
  expect(refuse(args)).toContain(message)
})
