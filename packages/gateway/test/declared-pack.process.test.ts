/** A pack of declared tools behind the gateway, as the public clients of both eras see it. */
import { silentLogger } from '@switchboard/telemetry'
import { textOf } from '@switchboard/testkit'
import { connectSdkAgent, type SdkAgent } from '@switchboard/testkit/sdk'
import { createPack, type Pack, type ToolDeclaration, ToolError } from '@switchboard/toolkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Gateway } from '../src/gateway.ts'
import { createHttpGateway, type HttpGateway } from '../src/http/http-gateway.ts'
import { Router } from '../src/router/router.ts'

const DECLARED: ToolDeclaration = {
  alias: 'text.repeat',
  name: 'text_repeat',
  aliases: ['text_again'],
  category: 'text',
  summary: 'Repeat a text',
  input: {
    type: 'object',
    properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1, default: 2 } },
    required: ['text'],
    additionalProperties: false,
  },
  result: 'query',
  data: {
    type: 'object',
    properties: { repeated: { type: 'string' } },
    required: ['repeated'],
    additionalProperties: false,
  },
  timeoutMs: 5_000,
  safety: { readOnly: true, destructive: false, idempotent: true },
  requires: [],
  errors: [{ code: 'E_EMPTY', retryable: false, hint: 'Give a text.' }],
  examples: [],
  listed: true,
  core: true,
  parameterHints: {},
  next: [],
}
const GUIDE = { id: 'repeat-well', title: 'Repeat well', summary: 'How to.', tags: [], text: 'Say it twice.\n' }

function createTextPack(): Pack {
  return createPack({
    name: 'text',
    manifest: { pack: 'text', tools: [DECLARED], guides: [GUIDE] },
    tools: {
      'text.repeat': ({ text, times }: { text: string; times: number }) => {
        if (text === '') throw new ToolError('E_EMPTY', 'There is nothing to repeat')
        return { data: { repeated: text.repeat(times) } }
      },
    },
    host: {},
    log: silentLogger,
    strict: true,
  })
}

let gateway: Gateway
let http: HttpGateway
let url: string

beforeAll(async () => {
  const providers = [createTextPack()]
  const router = new Router({ providers: () => providers, onDidChangeProviders: () => ({ dispose() {} }) })
  gateway = new Gateway({ serverInfo: { name: 'switchboard', version: '0.1.0' }, router })
  http = createHttpGateway({ gateway, port: 0 })
  url = `${(await http.listen()).url}/mcp`
})
afterAll(async () => {
  await http.close()
  gateway.close()
  gateway.router.dispose()
})

describe.each(['legacy', 'modern'] as const)('for a client of the %s era', (era) => {
  let agent: SdkAgent
  const connect = () => connectSdkAgent(era === 'legacy' ? 'v1' : 'v2 pinned', { transport: 'http', url })
  beforeAll(async () => {
    agent = await connect()
  })
  afterAll(() => agent.close())

  it('lists the tool under its own name and without its alias, and calls it by both', async () => {
    expect(await agent.toolNames()).toEqual(['text_repeat'])
    for (const name of ['text_repeat', 'text_again']) {
      expect(await agent.call(name, { text: 'ab' })).toMatchObject({
        structuredContent: { ok: true, type: 'success', data: { repeated: 'abab' }, meta: { tool: 'text_repeat' } },
      })
    }
  })

  it('passes failures with their codes, though the client checks them against the output schema', async () => {
    expect(await agent.call('text_repeat', { text: '' })).toMatchObject({
      isError: true,
      structuredContent: { ok: false, error: { code: 'E_EMPTY', hint: 'Give a text.', executed: true } },
    })
    expect(textOf(await agent.call('text_repeat', { txet: 'x' }))).toBe(
      '[invalid_arguments] The arguments of text_repeat are wrong: text is required (a string); "txet" was given; txet is not a parameter (did you mean "text"?). Correct the named parameters and call again.',
    )
  })

  it('cuts a long result, and its own conversation reads the rest', async () => {
    const result = await agent.call('text_repeat', { text: 'x', times: 40_000 })
    const uri = /switchboard:[^\s?]+/.exec(textOf(result))?.[0] ?? ''
    const whole = await agent.read(uri)
    expect(whole).toMatchObject({ contents: [{ uri, text: `{"repeated":"${'x'.repeat(40_000)}"}` }] })
    expect(await agent.read(`${uri}?offset=13&length=5`)).toMatchObject({ contents: [{ text: 'xxxxx' }] })
    expect(await agent.templates()).toEqual(['switchboard://results/text/{id}{?offset,length}'])
    // In the modern era nothing tells two clients without a window apart: there the id itself is the key.
    if (era === 'modern') return
    const other = await connect()
    await expect(other.read(uri)).rejects.toThrow('There is no stored result')
    await other.close()
  })

  it('offers guides as prompts', async () => {
    expect(await agent.promptNames()).toEqual(['repeat-well'])
    expect(await agent.prompt('repeat-well', {})).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say it twice.\n' } }],
    })
  })
})
