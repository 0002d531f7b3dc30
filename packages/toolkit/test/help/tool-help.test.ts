import { describe, expect, it } from 'vitest'
import { createListedToolHelp, createToolHelp } from '../../src/index.ts'
import { declare } from '../helpers/small-pack.ts'

describe('the help of a declared tool', () => {
  it('has all that its declaration says', () => {
    const declaration = declare('breakpoint.add', {
      description: 'A second one replaces the first',
      whenToUse: 'debug_start takes them along.',
      aliases: ['breakpoint_set'],
      requires: ['workspace', 'session'],
      errors: [
        { code: 'E_NO_SESSION', retryable: false, hint: 'Start it here.' },
        { code: 'E_INVALID_LINE', retryable: true, hint: 'Give another line.' },
      ],
      examples: [{ what: 'one', params: { line: 3 } }],
      parameterHints: { line: { examples: [3, 9], note: 'from 1' } },
      next: ['debug_start'],
      input: {
        type: 'object',
        properties: {
          line: { type: 'integer', minimum: 1, default: 1, description: 'which' },
          points: {
            type: 'array',
            items: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
          },
          env: { type: 'object', additionalProperties: { type: 'string' } },
          until: { type: 'object', properties: { at: { type: 'number' } } },
        },
        required: ['points'],
      },
    })
    expect(createToolHelp(declaration)).toEqual({
      name: 'breakpoint_add',
      summary: 'Does breakpoint.add',
      more: ['A second one replaces the first.', 'debug_start takes them along.'],
      parameters: [
        { name: 'line', required: false, text: 'an integer, at least 1, default 1; which; from 1; such as 3, 9' },
        { name: 'points', required: true, text: 'an array, each an object' },
        { name: 'points[].path', required: true, text: 'a string' },
        { name: 'env', required: false, text: 'an object, each value a string' },
        { name: 'until', required: false, text: 'an object' },
        { name: 'until.at', required: false, text: 'a number' },
      ],
      needs: [
        {
          what: 'a workspace',
          code: 'E_NO_WORKSPACE',
          hint: 'Start the front in the folder of the project, or with --workspace <folder>.',
        },
        { what: 'a debug session', code: 'E_NO_SESSION', hint: 'Start it here.' },
      ],
      errors: declaration.errors,
      examples: declaration.examples,
      next: ['debug_start'],
      aliases: ['breakpoint_set'],
      safety: 'reads only, idempotent',
      timeoutMs: 5_000,
    })
  })
})

describe('the help of a tool that a server lists', () => {
  it('is read from its description and its schema', () => {
    const help = createListedToolHelp({
      name: 'files_read',
      description: ' Reads a\n file. \n\nReturns its text.\n\n\n',
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          mode: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
          kind: { const: 'text' },
          any: true,
        },
        required: ['path'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true },
    })
    expect(help).toMatchObject({
      name: 'files_read',
      summary: 'Reads a file.',
      more: ['Returns its text.'],
      parameters: [
        { name: 'path', required: true, text: 'a string' },
        { name: 'mode', required: false, text: 'a string or null, default null' },
        { name: 'kind', required: false, text: '"text"' },
        { name: 'any', required: false, text: 'any value' },
      ],
      safety: 'changes, destructive',
    })
    expect(help).not.toHaveProperty('timeoutMs')
  })

  it('makes do with a title, or with nothing at all', () => {
    expect(createListedToolHelp({ name: 'a', title: 'An A', inputSchema: {} })).toMatchObject({
      summary: 'An A',
      parameters: [],
      safety: '',
    })
    expect(createListedToolHelp({ name: 'a', inputSchema: {} })).toMatchObject({ summary: '', more: [] })
  })

  it('has an end where a schema holds itself without one', () => {
    const node: Record<string, unknown> = { type: 'object' }
    node.properties = { child: node }
    const { parameters } = createListedToolHelp({ name: 'a', inputSchema: node })
    expect(parameters.map(({ name }) => name)).toEqual(['child', 'child.child', 'child.child.child'])
  })
})
