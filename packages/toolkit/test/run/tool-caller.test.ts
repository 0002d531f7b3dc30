import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { ToolError } from '../../src/index.ts'
import { callTool, createSmallPack, declare } from '../helpers/small-pack.ts'

describe('a tool that fails', () => {
  const declaration = declare('a.b', { errors: [{ code: 'E_BUSY', retryable: true, hint: 'Wait a moment.' }] })
  const failWith = (error: unknown) => () => {
    throw error
  }

  it('has its declared code arrive unchanged, with the declared hint', async () => {
    const { pack } = createSmallPack([[declaration, failWith(new ToolError('E_BUSY', 'It is busy'))]])
    const { text, error } = await callTool(pack, 'a_b')
    expect(text).toBe('[E_BUSY] It is busy. Wait a moment.')
    expect(error).toEqual({
      code: 'E_BUSY',
      category: 'precondition',
      message: 'It is busy',
      hint: 'Wait a moment.',
      executed: true,
      retryable: true,
      retryAfterMs: null,
      details: {},
    })
  })

  it('may fail with a code of the catalogue that it declares, and all that the error says arrives', async () => {
    const cause = new SwitchboardError('approval_denied', 'Nobody said yes', { hint: 'Ask.', details: { who: 'me' } })
    const errors = [{ code: 'approval_denied', retryable: false, hint: 'Ask the person.' }]
    const { pack } = createSmallPack([[declare('a.b', { errors }), failWith(cause)]])
    const { text, error } = await callTool(pack, 'a_b')
    expect(text).toBe('[approval_denied] Nobody said yes. Ask.')
    expect(error).toEqual(cause.toReport())
    expect(error).toMatchObject({ category: 'forbidden', executed: false })
  })

  it('may not fail with one that it does not declare', async () => {
    const { pack } = createSmallPack([[declaration, failWith(new SwitchboardError('unknown_mode', 'x'))]])
    expect((await callTool(pack, 'a_b')).error.code).toBe('E_INTERNAL')
  })

  it('may know a better hint, and details that survive JSON', async () => {
    const cause = new ToolError('E_BUSY', 'It is busy', { hint: 'Wait for 3 s.', details: { size: 5n } })
    const { pack } = createSmallPack([[declaration, failWith(cause)]])
    expect((await callTool(pack, 'a_b')).error).toMatchObject({ hint: 'Wait for 3 s.', details: { size: '5' } })
  })

  it('may be of a class of its own that is a ToolError', async () => {
    class EngineError extends ToolError {}
    const cause = new EngineError('E_BUSY', 'engine', { details: { pid: 1 } })
    const { pack } = createSmallPack([[declaration, failWith(cause)]])
    expect((await callTool(pack, 'a_b')).error).toMatchObject({
      code: 'E_BUSY',
      message: 'engine',
      details: { pid: 1 },
    })
  })

  it('is a mistake of ours where another error carries a declared code', async () => {
    const { pack } = createSmallPack([[declaration, failWith(Object.assign(new Error('x'), { code: 'E_BUSY' }))]])
    expect((await callTool(pack, 'a_b')).error).toMatchObject({
      code: 'E_INTERNAL',
      message: 'a_b failed unexpectedly: x',
    })
  })

  it('with a code that is common to the pack has the hint of that', async () => {
    const commonErrors = [{ code: 'E_OTHER', retryable: true, hint: 'Do it otherwise.' }]
    const { pack } = createSmallPack([[declare('a.b'), failWith(new ToolError('E_OTHER', 'What?'))]], {
      commonErrors,
      strict: true,
    })
    const { text, error } = await callTool(pack, 'a_b')
    expect(text).toBe('[E_OTHER] What? Do it otherwise.')
    expect(error).toMatchObject({ code: 'E_OTHER', retryable: true })
  })

  it('with the code of what it requires, gone in the middle, is no bug', async () => {
    const { pack } = createSmallPack(
      [[declare('a.b', { requires: ['session'] }), failWith(new ToolError('E_NO_SESSION', 'It ended'))]],
      { host: { requirements: { session: () => undefined } }, strict: true },
    )
    expect((await callTool(pack, 'a_b')).text).toBe('[E_NO_SESSION] It ended. Start one with debug_start.')
  })

  it('with a code it does not declare is our bug: logged with its stack', async () => {
    const { pack, log } = createSmallPack([[declaration, failWith(new ToolError('E_OTHER', 'What?'))]])
    const { error } = await callTool(pack, 'a_b')
    expect(error).toMatchObject({
      code: 'E_INTERNAL',
      message: 'a_b failed with E_OTHER, which it does not declare: What?',
    })
    expect(log.entries).toMatchObject([{ level: 'error', cat: 'toolkit.bug', data: { stack: expect.any(String) } }])
  })

  it.each([new TypeError('x is undefined'), 'a text', undefined])('by %s is our bug as well', async (thrown) => {
    const { pack, log } = createSmallPack([[declaration, failWith(thrown)]])
    const { result, error } = await callTool(pack, 'a_b')
    expect(result.isError).toBe(true)
    expect(error.code).toBe('E_INTERNAL')
    expect(JSON.stringify(result)).not.toContain('create-pack.test')
    expect(log.entries).toHaveLength(1)
  })

  it('in strict mode fails loudly when it is the author’s mistake, and only then', async () => {
    const strict = { strict: true }
    const undeclared = createSmallPack([[declaration, failWith(new ToolError('E_OTHER', 'What?'))]], strict)
    await expect(callTool(undeclared.pack, 'a_b')).rejects.toThrow('E_OTHER, which it does not declare')
    const declared = createSmallPack([[declaration, failWith(new ToolError('E_BUSY', 'It is busy'))]], strict)
    expect((await callTool(declared.pack, 'a_b')).error.code).toBe('E_BUSY')
  })

  it('by returning no data is told so', async () => {
    // @ts-expect-error a function that forgot to return
    const { pack } = createSmallPack([[declaration, () => undefined]], { strict: true })
    await expect(callTool(pack, 'a_b')).rejects.toThrow('a.b must return { data }, not nothing')
  })
})

describe('data that breaks its own schema', () => {
  const declaration = declare('a.b', { data: { type: 'object', properties: { n: { type: 'integer' } } } })
  const wrong = () => ({ data: { n: 'one' } })

  it('is not sent where a client would refuse the whole result for it', async () => {
    const { pack, log } = createSmallPack([[declaration, wrong]])
    const { text, envelope } = await callTool(pack, 'a_b')
    expect(text).toBe('{"n":"one"}')
    expect(envelope).toMatchObject({ ok: true })
    expect(envelope.data).toBeUndefined()
    expect(log.entries).toMatchObject([{ msg: 'The data of a_b breaks its own schema: /n must be integer' }])
  })

  it('fails loudly in strict mode', async () => {
    const { pack } = createSmallPack([[declaration, wrong]], { strict: true })
    await expect(callTool(pack, 'a_b')).rejects.toThrow('The data of a_b breaks its own schema: /n must be integer')
  })

  it('is found in strict mode even where no schema is listed, which a running pack does not look for', async () => {
    const options = { outputSchemas: false }
    const running = createSmallPack([[declaration, wrong]], options)
    expect((await callTool(running.pack, 'a_b')).envelope.data).toEqual({ n: 'one' })
    expect(running.log.entries).toEqual([])
    const { pack } = createSmallPack([[declaration, wrong]], { ...options, strict: true })
    await expect(callTool(pack, 'a_b')).rejects.toThrow('/n must be integer')
  })

  it('by saying more than it declares fails in strict mode only', async () => {
    const more = () => ({ data: { n: 1, list: [{ extra: true }] } })
    const list = { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } }
    const deep = declare('a.b', { data: { type: 'object', properties: { n: { type: 'integer' }, list } } })
    const { pack } = createSmallPack([[deep, more]], { strict: true })
    await expect(callTool(pack, 'a_b')).rejects.toThrow('/list/0 has extra, which is not declared')
    const open = createSmallPack([[deep, more]])
    expect((await callTool(open.pack, 'a_b')).envelope.data).toEqual(more().data)
  })
})

describe('the arguments of a call', () => {
  const input = {
    type: 'object',
    properties: { projectPath: { type: 'string' }, use_id: { type: 'string' } },
    additionalProperties: false,
  }
  const callWith = async (args: JsonObject) => {
    const { pack } = createSmallPack([[declare('a.b', { input }), (params) => ({ data: params })]])
    return callTool(pack, 'a_b', args)
  }

  it('may be named as many models write them', async () => {
    const { envelope } = await callWith({ project_path: '/a', use_id: 'u' })
    expect(envelope.data).toEqual({ projectPath: '/a', use_id: 'u' })
  })

  it('are not guessed where a name is given both ways, or is none of the tool', async () => {
    const both = await callWith({ project_path: '/a', projectPath: '/b' })
    expect(both.text).toContain('project_path is not a parameter')
    expect((await callWith({ path_of: '/a' })).text).toContain('path_of is not a parameter')
  })
})
