import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { expect, test } from 'vitest'
import { manifest } from '../src/generated/manifest.ts'
import { LIMITS } from '../src/limits.ts'

/** The parameter of that name, of every tool that has it. */
function parametersCalled(name: string, tools: RegExp = /./): JsonObject[] {
  return manifest.tools.flatMap((tool) => {
    const { properties } = tool.input
    const found = isJsonObject(properties) ? properties[name] : undefined
    return tools.test(tool.name) && isJsonObject(found) ? [found] : []
  })
}

test.each([
  ['summary', LIMITS.summary],
  ['errorMessage', LIMITS.errorMessage],
  ['stackTrace', LIMITS.stackTrace],
  ['query', LIMITS.query],
] as const)('every tool takes as much of %s as the table says', (name, limit) => {
  const lengths = parametersCalled(name).map(({ maxLength }) => maxLength)
  expect(new Set(lengths)).toEqual(new Set([limit]))
})

test('every tool takes as many tags, members and results as the table says', () => {
  const tags = parametersCalled('tags')
  expect(tags.length).toBeGreaterThan(2)
  for (const tag of tags) expect(tag).toMatchObject({ maxItems: LIMITS.tags, items: { maxLength: LIMITS.tag } })
  const contexts = parametersCalled('context')
  for (const context of contexts)
    expect(context).toMatchObject({ additionalProperties: { maxLength: LIMITS.contextValue } })
  const limits = [...parametersCalled('limit'), ...parametersCalled('topK')]
  for (const limit of limits) expect(limit).toMatchObject({ maximum: LIMITS.results })
  const descriptions = parametersCalled('description', /^checkpoint_/)
  for (const description of descriptions) expect(description).toMatchObject({ maxLength: LIMITS.description })
})
