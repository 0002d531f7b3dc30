import { limitCapabilities } from '@switchboard/protocol/legacy'
import { describe, expect, it } from 'vitest'

const everything = Object.freeze({
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  tasks: { list: {} },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
  experimental: { x: {} },
})

describe('the capabilities told to a server', () => {
  it.each([
    ['2025-11-25', { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, tasks: { list: {} } }],
    ['2025-06-18', { sampling: {}, elicitation: {} }],
    ['2025-03-26', { sampling: {} }],
    ['2024-11-05', { sampling: {} }],
  ] as const)('of %s are those which that revision has', (version, expected) => {
    expect(limitCapabilities(everything, version)).toEqual({
      ...expected,
      roots: { listChanged: true },
      experimental: { x: {} },
    })
  })

  it('of 2025-06-18 leave out elicitation when the client only opens pages', () => {
    expect(limitCapabilities({ elicitation: { url: {} } }, '2025-06-18')).toEqual({})
  })

  it('of 2025-06-18 include elicitation when the client does not say which', () => {
    expect(limitCapabilities({ elicitation: {} }, '2025-06-18')).toEqual({ elicitation: {} })
  })

  it.each(['2025-11-25', '2024-11-05'] as const)('of %s are none for a client that has none', (version) => {
    expect(limitCapabilities({}, version)).toEqual({})
  })
})
