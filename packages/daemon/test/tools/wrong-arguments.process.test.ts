/** Whoever offers a tool, a wrong argument reads the same: a server, a pack, our own tools and the search for tools. */

import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { connectSdkAgent, type SdkAgent } from '@switchboard/testkit/sdk'
import { beforeAll, expect, test } from 'vitest'
import { useWorkbench } from '../helpers/workbench.ts'

const bench = useWorkbench({ per: 'suite' })

/** As `breakpoint_add` of the debugger has it. */
const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string', minLength: 1 }, line: { type: 'integer', minimum: 1 } },
  required: ['path', 'line'],
  additionalProperties: false,
}
let agent: SdkAgent

beforeAll(async () => {
  const { mcp } = await bench.open({
    mcpServers: { fx: bench.fixture('fx', { tools: [{ name: 'mark', inputSchema }] }) },
    packs: { debug: { enabled: true } },
    profiles: { default: { search: true } },
  })
  agent = await connectSdkAgent('v2 auto', { transport: 'http', url: mcp })
  bench.defer(() => agent.close())
})

async function refuse(name: string, args: JsonObject): Promise<{ text: string; fields: unknown; hint: unknown }> {
  const { content, structuredContent } = await agent.call(name, args)
  const [block] = Array.isArray(content) ? content : []
  const error = isJsonObject(structuredContent) && isJsonObject(structuredContent.error) ? structuredContent.error : {}
  expect(error).toMatchObject({ code: 'invalid_arguments', category: 'validation', executed: false })
  const details = isJsonObject(error.details) ? error.details : {}
  return { text: String(block?.text), fields: details.fields, hint: error.hint }
}

const HINT = 'Correct the named parameters and call again.'

test.each([
  ['fx_mark', 'fx_mark', { lien: 3, path: 7 }],
  ['breakpoint_add', 'breakpoint_add', { lien: 3, path: 7 }],
  ['tool_call', 'fx_mark', { name: 'fx_mark', arguments: { lien: 3, path: 7 } }],
])('%s: missing, misspelt and of the wrong type, under the name that the agent knows', async (called, name, args) => {
  const { text, fields, hint } = await refuse(called, args)
  const problems =
    'line is required (an integer, at least 1); "lien" was given; lien is not a parameter (did you mean "line"?)'
  expect(text).toBe(
    `[invalid_arguments] The arguments of ${name} are wrong: ${problems}; path must be a string, not 7. ${HINT}`,
  )
  expect(hint).toBe(HINT)
  expect(fields).toEqual([
    {
      field: 'line',
      problem: 'is required (an integer, at least 1); "lien" was given',
      expected: 'an integer, at least 1',
    },
    { field: 'lien', problem: 'is not a parameter (did you mean "line"?)', nearest: 'line' },
    { field: 'path', problem: 'must be a string, not 7', expected: 'a string' },
  ])
})

test('a tool of our own', async () => {
  const { text, fields } = await refuse('switchboard_status', { server: 7 })
  expect(text).toBe(
    `[invalid_arguments] The arguments of switchboard_status are wrong: server is not a parameter (there are none). ${HINT}`,
  )
  expect(fields).toEqual([{ field: 'server', problem: 'is not a parameter (there are none)' }])
})
