import { isJsonObject } from '@switchboard/protocol'
import { createCall, FakeClock } from '@switchboard/testkit'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { countListTokens, GUIDANCE_META_KEY, REQUIREMENTS, type RequirementName } from '../../src/index.ts'
import { callTool, createSmallPack, declare } from '../helpers/small-pack.ts'

const ADD = declare('breakpoint.add', {
  aliases: ['breakpoint_set'],
  summary: 'Set a breakpoint',
  whenToUse: 'Before debug_start, or while paused',
  result: 'action',
  input: {
    type: 'object',
    properties: { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', default: 1 } },
    required: ['line'],
    additionalProperties: false,
  },
  data: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] },
  safety: { readOnly: false, destructive: false, idempotent: true },
  requires: ['session'],
  errors: [{ code: 'E_FILE_NOT_FOUND', retryable: true, hint: 'Check the path.' }],
  next: ['debug_start'],
  parameterHints: { line: { examples: [10], note: 'counted from 1' } },
})
const host = { requirements: { session: () => undefined } }
const run = (params: { line: number; column: number }) => ({ data: params })

describe('the catalog of a pack', () => {
  const hidden = declare('dap.raw', { listed: false })
  const { pack } = createSmallPack(
    [
      [ADD, run],
      [hidden, () => ({ data: 'raw' })],
    ],
    { host, listing: { instructions: 'Debug.' } },
  )
  const [tool] = pack.catalog().tools

  it('lists what is enabled, and aliases beside the list', () => {
    expect(pack.catalog().tools.map(({ name }) => name)).toEqual(['breakpoint_add'])
    expect(pack.catalog().aliases).toEqual({ breakpoint_set: 'breakpoint_add' })
    expect(pack.catalog().instructions).toBe('Debug.')
  })

  it('describes a tool in short sentences', () => {
    expect(tool?.description).toBe(
      'Set a breakpoint. Before debug_start, or while paused. Needs: a debug session. Next: debug_start.',
    )
  })

  it('has the whole guidance in _meta', () => {
    expect(tool?._meta?.[GUIDANCE_META_KEY]).toEqual({
      category: 'test',
      result: 'action',
      timeoutMs: 5_000,
      requires: ['session'],
      errors: Object.fromEntries(ADD.errors.map(({ code, hint }) => [code, hint])),
      retryable: ['E_FILE_NOT_FOUND'],
      next: ['debug_start'],
      parameterHints: ADD.parameterHints,
      aliases: ['breakpoint_set'],
    })
  })

  it('takes the annotations from safety, never from the kind of the result', () => {
    expect(tool?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
  })

  it('has an output schema that success, failure and a cut result all satisfy', async () => {
    const validate = new Ajv2020().compile(tool?.outputSchema ?? false)
    const cutting = createSmallPack([[ADD, run]], { host, maxBytes: 5 })
    for (const { envelope } of [
      await callTool(pack, 'breakpoint_add', { line: 1 }),
      await callTool(pack, 'breakpoint_add', {}),
      await callTool(cutting.pack, 'breakpoint_add', { line: 1 }),
    ]) {
      expect(validate(envelope)).toBe(true)
    }
    expect(validate({ ok: true, data: { line: 'one' } })).toBe(false)
    expect(tool?.outputSchema).toEqual({
      type: 'object',
      properties: { ok: { type: 'boolean' }, data: ADD.data },
      required: ['ok'],
    })
    const bare = createSmallPack([[ADD, run]], { host, outputSchemas: false }).pack
    expect(bare.catalog().tools[0]?.outputSchema).toBeUndefined()
  })

  it('is exposed without a prefix unless told otherwise', () => {
    expect(pack.naming).toEqual({ prefix: false })
    expect(createSmallPack([], { naming: { prefix: 'dbg' } }).pack.naming).toEqual({ prefix: 'dbg' })
  })

  it('costs a quarter of its characters in tokens', () => {
    expect(countListTokens(pack.catalog().tools)).toBe(Math.ceil(JSON.stringify(pack.catalog().tools).length / 4))
    expect(countListTokens([])).toBe(0)
  })
})

describe('a pack that cannot work', () => {
  it('is refused when a run function is missing', () => {
    // @ts-expect-error a pair whose function is missing, as in a stale build
    expect(() => createSmallPack([[declare('a.b'), undefined]])).toThrow(
      'The pack small cannot be created: a.b has no run function',
    )
  })

  it('is refused when a requirement has no check', () => {
    expect(() => createSmallPack([[declare('a.b', { requires: ['session'] }), run]])).toThrow(
      'a.b requires session, which host.requirements does not know',
    )
  })

  it('is refused when two tools answer to one name', () => {
    const pairs = [
      [declare('a.b'), run],
      [declare('c.d', { aliases: ['a_b'] }), run],
    ] as const
    expect(() => createSmallPack(pairs)).toThrow('c.d and a.b are both called a_b')
  })
})

describe('a call that succeeds', () => {
  it('gets its defaults and answers with the envelope', async () => {
    const clock = new FakeClock({ wallTime: Date.UTC(2026, 0, 2) })
    const { pack } = createSmallPack([[ADD, run]], { host, clock })
    const { result, text, envelope } = await callTool(pack, 'breakpoint_add', { line: 3 })
    expect(result.isError).toBeUndefined()
    expect(text).toBe('{"line":3,"column":1}')
    expect(envelope).toEqual({
      ok: true,
      type: 'success',
      data: { line: 3, column: 1 },
      meta: {
        requestId: '7',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        tool: 'breakpoint_add',
        provider: 'pack:small',
        timestamp: '2026-01-02T00:00:00.000Z',
        durationMs: 0,
      },
    })
  })

  it.each(['action', 'query', 'waitable'] as const)('is a success, and listed as the %s it is', async (result) => {
    const { pack } = createSmallPack([[declare('a.b', { result }), () => ({ data: 1 })]])
    expect((await callTool(pack, 'a_b')).envelope).toMatchObject({ ok: true, type: 'success', data: 1 })
    expect(pack.catalog().tools[0]?._meta?.[GUIDANCE_META_KEY]).toMatchObject({ result })
  })

  it.each(['breakpoint_set', 'breakpoint.add', 'breakpoint.set'])('may come by the name %s', async (name) => {
    const { pack } = createSmallPack([[ADD, run]], { host })
    const { envelope } = await callTool(pack, name, { line: 3 })
    expect(envelope).toMatchObject({ ok: true, meta: { tool: 'breakpoint_add' } })
  })

  it('leaves the arguments of the caller as they are', async () => {
    const { pack } = createSmallPack([[ADD, run]], { host })
    const args = Object.freeze({ line: 3 })
    await callTool(pack, 'breakpoint_add', args)
    expect(args).toEqual({ line: 3 })
  })

  it('may say its text itself', async () => {
    const { pack } = createSmallPack([[declare('a.b'), () => ({ data: { n: 1 }, text: 'one' })]])
    const { text, envelope } = await callTool(pack, 'a_b')
    expect(text).toBe('one')
    expect(envelope.data).toEqual({ n: 1 })
  })

  it('hands the tool its context', async () => {
    const progress: unknown[] = []
    const told: unknown[] = []
    const call = createCall({ progress: (entry) => progress.push(entry), log: (entry) => told.push(entry) })
    const { pack, log } = createSmallPack(
      [
        [
          declare('a.b', { requires: ['workspace'] }),
          (_params, context) => {
            context.progress({ progress: 1, total: 2 })
            context.tell('info', 'half')
            context.log.info('test', 'seen')
            return { data: [context.workspace, context.budgetMs, context.call.id, context.guides.length] }
          },
        ],
      ],
      { host: { workspace: () => '/project' } },
    )
    const { envelope } = await callTool(pack, 'a_b', {}, call)
    expect(envelope.data).toEqual(['/project', 5_000, '7', 0])
    expect(progress).toEqual([{ progress: 1, total: 2 }])
    expect(told).toEqual([{ level: 'info', logger: 'a_b', data: 'half' }])
    expect(log.entries).toMatchObject([{ cat: 'test', trace_id: call.traceId }])
  })

  it('is counted in the status', async () => {
    const { pack } = createSmallPack([[ADD, run]], { host })
    await callTool(pack, 'breakpoint_add', { line: 3 })
    await callTool(pack, 'breakpoint_add', {})
    expect(pack.status()).toMatchObject({ state: 'ready', stale: false, calls: 2, failed: 1, inFlight: 0, tools: 1 })
  })
})

describe('a requirement', () => {
  const SESSION = declare('debug.evaluate', { requires: ['workspace', 'session'] })
  const refusal = { code: 'E_NO_SESSION', message: 'No debug session is active' }

  it('is checked before the run and fails with its own code and hint', async () => {
    let runs = 0
    const { pack } = createSmallPack([[SESSION, () => ({ data: ++runs })]], {
      host: { workspace: () => '/project', requirements: { session: () => refusal } },
    })
    const { result, text, envelope } = await callTool(pack, 'debug_evaluate')
    expect(result.isError).toBe(true)
    expect(text).toBe('[E_NO_SESSION] No debug session is active. Start one with debug_start.')
    expect(envelope).toMatchObject({
      ok: false,
      type: 'error',
      error: {
        ...refusal,
        hint: 'Start one with debug_start.',
        executed: false,
        retryable: false,
        details: { requirement: 'session' },
      },
      meta: { tool: 'debug_evaluate', requestId: '7' },
    })
    expect(runs).toBe(0)
  })

  it.each<[RequirementName, string, string]>([
    ['workspace', 'E_NO_WORKSPACE', 'Start the front in the folder of the project, or with --workspace <folder>.'],
    ['session', 'E_NO_SESSION', 'Start one with debug_start.'],
    ['paused', 'E_NOT_PAUSED', 'Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit.'],
    ['language-server', 'E_NO_LANGUAGE_SERVER', 'Open the workspace in VS Code with the extension for the language.'],
    [
      'vscode',
      'E_BRIDGE_UNAVAILABLE',
      'Open the workspace in VS Code with the Switchboard extension; bridge_status tells more.',
    ],
  ])('for %s that is not met is %s with its hint', async (name, code, hint) => {
    const { message } = REQUIREMENTS[name]
    const requirements = name === 'workspace' ? {} : { [name]: () => ({ code: REQUIREMENTS[name].code, message }) }
    const { pack } = createSmallPack([[declare('a.b', { requires: [name] }), run]], { host: { requirements } })
    expect((await callTool(pack, 'a_b')).error).toMatchObject({ code, message, hint, executed: false })
  })

  it('takes the hint of the tool where that declares the code, and that of the refusal before all', async () => {
    const declared = declare('a.b', {
      requires: ['session'],
      errors: [{ code: 'E_NO_SESSION', retryable: true, hint: 'Declared.' }],
    })
    const given = createSmallPack([[declared, run]], {
      host: { requirements: { session: async () => ({ ...refusal, hint: 'Given.' }) } },
    })
    const silent = createSmallPack([[declared, run]], { host: { requirements: { session: () => refusal } } })
    expect((await callTool(given.pack, 'a_b')).error).toMatchObject({ hint: 'Given.', retryable: true })
    expect((await callTool(silent.pack, 'a_b')).error).toMatchObject({ hint: 'Declared.', retryable: true })
  })

  it('for a workspace is met by what the caller carries, unless the host knows better', async () => {
    const declaration = declare('a.b', { requires: ['workspace'] })
    const tell = createSmallPack([[declaration, (_params, { workspace }) => ({ data: workspace })]])
    const call = createCall({ caller: { workspace: '/home/me/project' } })
    expect((await callTool(tell.pack, 'a_b', {}, call)).envelope.data).toBe('/home/me/project')
    const other = createSmallPack([[declaration, run]], { host: { workspace: () => undefined } })
    expect((await callTool(other.pack, 'a_b', {}, call)).error.code).toBe('E_NO_WORKSPACE')
  })

  it('for a workspace needs no check of the host', async () => {
    const { pack } = createSmallPack([[declare('a.b', { requires: ['workspace'] }), run]])
    expect((await callTool(pack, 'a_b')).text).toBe(
      '[E_NO_WORKSPACE] This caller belongs to no workspace. Start the front in the folder of the project, or with --workspace <folder>.',
    )
  })

  it('comes after the parameters: what is wrong with them is said first', async () => {
    const { pack } = createSmallPack([[SESSION, run]], { host: { requirements: { session: () => refusal } } })
    expect((await callTool(pack, 'debug_evaluate', { x: 1 })).error.code).toBe('invalid_arguments')
  })
})

describe('definitions of a pack', () => {
  const node = { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '#/$defs/Node' } } }
  const definitions = { Node: node, Unused: { type: 'string' } }
  const declaration = declare('a.b', { data: { $ref: '#/$defs/Node' } })

  it('stand beside the output schema of those that refer to them, and check their data', async () => {
    const good = createSmallPack([[declaration, () => ({ data: { n: 1, next: { n: 2 } } })]], {
      definitions,
      strict: true,
    }).pack
    expect(good.catalog().tools[0]?.outputSchema).toMatchObject({
      properties: { data: { $ref: '#/$defs/Node' } },
      $defs: { Node: node },
    })
    expect(good.catalog().tools[0]?.outputSchema?.$defs).not.toHaveProperty('Unused')
    expect((await callTool(good, 'a_b')).envelope.data).toEqual({ n: 1, next: { n: 2 } })
    const bad = createSmallPack([[declaration, () => ({ data: { next: { n: 'x' } } })]], { definitions, strict: true })
    await expect(callTool(bad.pack, 'a_b')).rejects.toThrow('/next/n must be integer')
  })

  it('are in the catalog where the list leaves schemas out', () => {
    const { pack } = createSmallPack([[declaration, () => ({ data: {} })]], { definitions, outputSchemas: false })
    const { tools, outputSchemaOf } = pack.catalog()
    expect(tools[0]?.outputSchema).toBeUndefined()
    expect(outputSchemaOf?.('a_b')).toMatchObject({ $defs: { Node: node }, required: ['ok'] })
  })
})

describe('guides', () => {
  const guide = {
    id: 'failing-test',
    title: 'Debug a failing test',
    summary: 'Three calls.',
    tags: ['test'],
    text: '# Do',
  }
  const { pack } = createSmallPack([], { guides: [guide] })

  it('are prompts', async () => {
    expect(pack.catalog().prompts).toEqual([
      { name: 'failing-test', title: 'Debug a failing test', description: 'Three calls.' },
    ])
    expect(await pack.request('prompts/get', { name: 'failing-test' }, createCall())).toEqual({
      description: 'Three calls.',
      messages: [{ role: 'user', content: { type: 'text', text: '# Do' } }],
    })
  })

  it('that do not exist are told with the nearest', async () => {
    await expect(pack.request('prompts/get', { name: 'failing-tests' }, createCall())).rejects.toMatchObject({
      code: 'unknown_prompt',
      details: { suggestions: ['failing-test'] },
    })
  })
})

describe('what is no tool call', () => {
  const { pack } = createSmallPack([[declare('a.list'), run]])

  it('is refused by name', async () => {
    await expect(pack.request('logging/setLevel', {}, createCall())).rejects.toMatchObject({ code: 'unknown_method' })
    await expect(pack.request('tools/call', {}, createCall())).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(callTool(pack, 'a_lst')).rejects.toMatchObject({ code: 'unknown_tool', hint: 'Did you mean a_list?' })
  })

  it('has nobody to tell of changes, since there are none', () => {
    expect(isJsonObject(pack.onCatalogChange(() => undefined))).toBe(true)
    pack.onResourceUpdated(() => undefined).dispose()
  })
})
