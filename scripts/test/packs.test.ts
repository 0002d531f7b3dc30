/** What holds for every pack that stands in packages/packs, also for one that is added tomorrow. */
import { describe, expect, test } from 'vitest'
import { listPacks, readPack, toManifest } from '../../packages/toolkit/src/generate/index.ts'
import { root } from './workspace.ts'

/** Named for what they are about, which is called so elsewhere. */
const EXCEPTIONS = new Set([
  // The field of the logs that it filters by.
  'trace_id',
])

describe.each(listPacks(root))('the pack %s', (name) => {
  const { tools, definitions = {} } = toManifest(readPack(root, `packages/packs/${name}`))

  test('has tools', () => {
    expect(tools.length).toBeGreaterThan(0)
  })

  test('has no underscore in the name of a parameter or of a member of data', () => {
    const schemas = [...tools.flatMap(({ input, data }) => [input, data]), ...Object.values(definitions)]
    expect(schemas.flatMap(listMembers).filter((member) => member.includes('_') && !EXCEPTIONS.has(member))).toEqual([])
  })
})

test('the names of members are found wherever they stand in a schema', () => {
  const schema = { anyOf: [{ items: { properties: { a: { properties: { b_c: {} } } } } }], enum: ['d_e'] }
  expect(listMembers(schema)).toEqual(['a', 'b_c'])
})

function listMembers(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, part]) => [
    ...(key === 'properties' ? Object.keys(part) : []),
    ...listMembers(part),
  ])
}
