import { createMemoryLogger } from '@switchboard/telemetry'
import { createToolHelp } from '@switchboard/toolkit'
import { describe, expect, it } from 'vitest'
import { createDebugPack } from '../src/create-debug-pack.ts'
import { manifest } from '../src/generated/manifest.ts'

const CORE_TOOLS = manifest.tools.filter(({ core }) => core).map(({ name }) => name)

describe('every tool of the pack', () => {
  it('declares its data', () => {
    expect(manifest.tools.filter(({ data }) => data === undefined).map(({ name }) => name)).toEqual([])
  })

  it('has an example where it must be told something', () => {
    const mute = manifest.tools.filter(
      ({ input, examples, requires }) =>
        Array.isArray(input.required) &&
        examples.length === 0 &&
        !requires.some((name) => /vscode|language/.test(name)),
    )
    expect(mute.map(({ name }) => name)).toEqual([])
  })

  it('sends nobody for help to a tool that would fail in the same way', () => {
    const codesOf = new Map(manifest.tools.map(({ name, errors }) => [name, errors.map(({ code }) => code)]))
    const circles = manifest.tools.flatMap(({ name, errors }) =>
      errors.flatMap(({ code, hint }) =>
        (hint.match(/[a-z]+(?:_[a-z]+)+/g) ?? [])
          .filter((helper) => helper === name || codesOf.get(helper)?.includes(code))
          .map((helper) => `${name} ${code}: ${helper}`),
      ),
    )
    expect(circles).toEqual([])
  })

  it('has its help', () => {
    const help = manifest.tools.map(createToolHelp)
    expect(help.map(({ name }) => name)).toEqual(manifest.tools.map(({ name }) => name))
    expect(help.filter(({ summary, safety }) => summary === '' || safety === '')).toEqual([])
  })
})

it('about twenty are listed by default, and each is one that agents start with or need at a stop', () => {
  expect(CORE_TOOLS.length).toBeGreaterThan(18)
  expect(CORE_TOOLS.length).toBeLessThan(28)
  expect(CORE_TOOLS).toEqual(expect.arrayContaining(['debug_start', 'debug_evaluate', 'breakpoint_add']))
})

it('what tools answer with is in the catalog, and in no list', () => {
  const { tools, outputSchemaOf } = createDebugPack({ log: createMemoryLogger() }).provider.catalog()
  expect(tools.filter((tool) => 'outputSchema' in tool)).toEqual([])
  for (const name of ['debug_start', 'variable_list', 'dap_logs']) expect(outputSchemaOf?.(name)).toBeDefined()
  expect(outputSchemaOf?.('variable_list')).toMatchObject({ $defs: { ShownNode: {} } })
})
