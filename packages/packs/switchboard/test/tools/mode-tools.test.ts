import type { AskRequests, Call, JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { PackInstance } from '@switchboard/toolkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { callTool, FakeModes, openPack } from '../helpers/switchboard-bench.ts'

const ME = 'aaaa-000001'

let modes: FakeModes
let pack: PackInstance

beforeEach(() => {
  modes = new FakeModes()
  modes.configure(
    { name: 'talk', instructions: 'Say it once.\n', tools: { allow: ['fx_*'], deny: ['fx_rm'] }, writable: ['/w'] },
    { name: 'boss', approval: 'person' },
  )
  pack = openPack({ modes })
})

const caller: Call['caller'] = { era: 'legacy', capabilities: { elicitation: {} }, instance: ME }

function declare(mode: string, call: Partial<Call> = {}) {
  return callTool(pack, 'mode_get_instructions', { mode }, { caller, ...call })
}

function answerWith(answer: JsonObject): { ask: Call['ask']; asked: AskRequests[] } {
  const asked: AskRequests[] = []
  return {
    asked,
    ask: async (requests) => {
      asked.push(requests)
      return { approval: answer }
    },
  }
}

describe('mode_get_instructions', () => {
  it('sets the mode of its own window and tells the rules', async () => {
    const { text, data } = await declare('talk')
    expect(text).toBe('Mode: talk. All about talk\nTools: fx_*\nNot: fx_rm\nWritable: /w\n\nSay it once.')
    expect(data).toEqual({
      mode: 'talk',
      description: 'All about talk',
      instructions: 'Say it once.\n',
      tools: { allow: ['fx_*'], deny: ['fx_rm'] },
      writable: ['/w'],
      approval: 'none',
      instance: ME,
      setAt: '2026-01-02T00:00:00.000Z',
      setBy: 'agent',
      previous: null,
    })
    expect(modes.read(ME)?.mode).toBe('talk')
    expect((await declare('talk')).data).not.toHaveProperty('previous')
  })

  it('names a mode that there is not', async () => {
    const { text, error } = await declare('tlak')
    expect(text).toContain('[unknown_mode] No mode is named "tlak".')
    expect(error).toMatchObject({ code: 'unknown_mode', category: 'not_found', executed: false })
  })

  it('asks the person where the mode does, and sets it after a yes', async () => {
    const { ask, asked } = answerWith({ action: 'accept', content: { answer: 'yes' } })
    expect((await declare('boss', { ask })).data).toMatchObject({ mode: 'boss', setBy: 'person' })
    expect(JSON.stringify(asked)).toContain(`window ${ME} wants to work in the mode \\"boss\\". It has no mode yet.`)
  })

  it.each<[JsonObject, string]>([
    [{ action: 'accept', content: { answer: 'no' } }, 'the answer was no'],
    [{ action: 'accept' }, 'the answer was no'],
    [{ action: 'decline' }, 'it was declined'],
    [{ action: 'cancel' }, 'the question was dismissed'],
  ])('takes %j for a no', async (answer, why) => {
    const { text, error } = await declare('boss', { ask: answerWith(answer).ask })
    expect(text).toContain(`needs a person's yes: ${why}`)
    expect(error).toMatchObject({ code: 'approval_denied', executed: false, details: { instance: ME, mode: 'boss' } })
    expect(modes.read(ME)).toBeUndefined()
  })

  it('is refused where nobody can be asked', async () => {
    const { ask } = answerWith({ action: 'accept', content: { answer: 'yes' } })
    const url: Call['caller'] = { ...caller, capabilities: { elicitation: { url: {} } } }
    for (const call of [{}, { caller: { ...caller, capabilities: {} }, ask }, { caller: url, ask }]) {
      expect((await declare('boss', call)).text).toContain('this client cannot ask')
    }
    const failing = async () => Promise.reject(new SwitchboardError('internal', 'gone'))
    expect((await declare('boss', { ask: failing })).text).toContain('the client did not ask (gone)')
  })

  it('sets nothing when the yes comes too late', async () => {
    const gone = new AbortController()
    const ask: Call['ask'] = async () => {
      gone.abort(new Error('the caller is gone'))
      return { approval: { action: 'accept', content: { answer: 'yes' } } }
    }
    expect((await declare('boss', { ask, signal: gone.signal })).error.code).toBe('E_CANCELLED')
    expect(modes.read(ME)).toBeUndefined()
  })

  it('tells callers over HTTP what binds them', async () => {
    const http = { caller: { era: 'modern', capabilities: {} } } as const
    expect((await declare('talk', http)).error.code).toBe('mode_required')
    modes.bound = 'boss'
    expect((await declare('talk', http)).error).toMatchObject({ code: 'mode_denied', details: { mode: 'boss' } })
    expect((await declare('boss', http)).data).toMatchObject({ mode: 'boss' })
  })
})

describe('mode_status', () => {
  it('tells the mode, who set it, and the modes there are', async () => {
    expect((await callTool(pack, 'mode_status', {}, { caller })).text).toBe(
      'No mode is set; call mode_get_instructions.\n- talk: All about talk\n- boss: All about boss (a person has to approve)',
    )
    await declare('talk')
    const { text, data } = await callTool(pack, 'mode_status', {}, { caller })
    expect(text.split('\n')[0]).toBe('Mode: talk')
    expect(data).toMatchObject({
      mode: 'talk',
      instance: ME,
      setBy: 'agent',
      modes: [{ name: 'talk' }, { name: 'boss' }],
    })
  })

  it('says when a mode is configured no more, and what binds callers over HTTP', async () => {
    await declare('talk')
    modes.configure({ name: 'boss' })
    expect((await callTool(pack, 'mode_status', {}, { caller })).text).toContain('Mode: talk (not configured any more)')
    modes.bound = 'boss'
    expect((await callTool(pack, 'mode_status')).data).toMatchObject({ mode: 'boss', boundBy: 'gateway.modeForHttp' })
  })
})
