import type { Tool } from '@switchboard/protocol/mcp'
import { expect, test } from 'vitest'
import { ArgumentValidator } from '../../src/upstream/validate-arguments.ts'

const createTool = (name: string, inputSchema: Record<string, unknown>): Tool =>
  ({ name, inputSchema: { type: 'object', ...inputSchema } }) as Tool

test('the first users of a tool share one compilation, and each is judged by its own arguments', async () => {
  const unusable: string[] = []
  const validator = new ArgumentValidator((tool) => unusable.push(tool.name))
  const good = createTool('good', { properties: { n: { type: 'number' } } })
  const bad = createTool('bad', { properties: 5 })
  const outcomes = await Promise.allSettled([
    validator.check(good, { n: 1 }),
    validator.check(good, { n: 'x' }),
    validator.check(bad, {}),
    validator.check(bad, {}),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(unusable).toEqual(['bad'])
  expect(validator.check(good, { n: 2 })).toBeUndefined()
})

test('two tools whose schemas hold the same $id inside are both checked', async () => {
  const unusable: string[] = []
  const validator = new ArgumentValidator((tool, reason) => unusable.push(`${tool.name}: ${reason}`))
  for (const [name, type] of Object.entries({ one: 'number', other: 'string' })) {
    const $defs = { part: { $id: 'https://example.org/part', type } }
    const tool = createTool(name, { $defs, properties: { part: { $ref: 'https://example.org/part' } } })
    await validator.check(tool, { part: type === 'number' ? 1 : 'x' })
    await expect(validator.check(tool, { part: true })).rejects.toThrow('part')
  }
  expect(unusable).toEqual([])
})

test.each([
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
])('a schema of the dialect %s is checked, and a broken one is not', async ($schema) => {
  const unusable: string[] = []
  const validator = new ArgumentValidator((tool) => unusable.push(tool.name))
  const tool = createTool('tool', { $schema, required: ['n'] })
  await expect(validator.check(tool, {})).rejects.toMatchObject({ code: 'invalid_arguments' })
  await validator.check(createTool('broken', { $schema, required: 'n' }), {})
  expect(unusable).toEqual(['broken'])
})
