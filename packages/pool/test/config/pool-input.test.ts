import { expect, it } from 'vitest'
import { McpPool } from '../../src/mcp-pool.ts'

it("another client's `servers` object is refused with the name of our key, not taken for a checked configuration", () => {
  const foreign = { servers: { a: { command: 'x' } } }
  // A user without types can pass it.
  expect(() => new McpPool(foreign as never)).toThrow(
    expect.objectContaining({
      code: 'invalid_configuration',
      message: expect.stringContaining('"mcpServers" instead'),
    }),
  )
})
