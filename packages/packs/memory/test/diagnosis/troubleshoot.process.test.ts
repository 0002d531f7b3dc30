import type { AskRequests, Call, JsonObject } from '@switchboard/protocol'
import { createCall } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATTERNS } from '../../src/diagnosis/patterns/index.ts'
import { type MemoryBench, openMemoryBench } from '../helpers/memory-bench.ts'
import { readCases } from './read-cases.ts'

const PORT = 'Error: listen EADDRINUSE: address already in use :::3000'

let bench: MemoryBench
beforeAll(async () => {
  bench = await openMemoryBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

/** A client whose model answers so. */
function sampling(answer: () => JsonObject): { call: Partial<Call>; asked: AskRequests[] } {
  const asked: AskRequests[] = []
  const { caller } = createCall({ caller: { capabilities: { sampling: {} } } })
  const ask: Call['ask'] = async (requests) => {
    asked.push(requests)
    return { guess: answer() }
  }
  return { call: { caller, ask }, asked }
}

describe('troubleshoot', () => {
  it('answers with everything that the table of the seed names', async () => {
    const { data, text } = await bench.call('troubleshoot', { errorMessage: PORT })
    expect(data).toMatchObject({
      confidence: 'high',
      category: 'configuration',
      severity: 'medium',
      hypotheses: [{ category: 'configuration', evidence: ['the text says: EADDRINUSE'] }],
      similarIssues: [{ id: 'port-in-use', successRate: null, confidence: 'high', isDestructive: true }],
      notes: [],
    })
    for (const key of [
      'sessionId',
      'rootCause',
      'recommendedActions',
      'diagnosticSteps',
      'timeTakenMs',
      'diagnosedAt',
    ]) {
      expect(data, key).toHaveProperty(key)
    }
    expect(text).toMatch(/^Cause \(high, 0\.\d\d\): Another process listens on this port/)
    expect(text).toContain('DESTRUCTIVE: ends processes')
    expect(text).toContain(`troubleshoot_feedback {"sessionId": "${data.sessionId}"`)
  })

  it('says all of it in at most 1,200 bytes, whatever the error', async () => {
    for (const { text: errorMessage, id } of readCases().filter((_case, at) => at % 4 === 0)) {
      const { text } = await bench.call('troubleshoot', { errorMessage, mode: 'guided' })
      expect(Buffer.byteLength(text), id).toBeLessThanOrEqual(1_200)
      expect(text, id).toMatch(/^1\. /m)
    }
  })

  it('looks into the stack as well, and only into one category where that is asked for', async () => {
    const stackTrace = 'Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect'
    const { data } = await bench.call('troubleshoot', { errorMessage: 'startup failed', stackTrace })
    expect(data.similarIssues).toMatchObject([{ id: 'pg-server-down' }, { id: 'connection-refused' }])
    const other = await bench.call('troubleshoot', { errorMessage: PORT, category: 'storage' })
    expect(JSON.stringify(other.data.similarIssues)).not.toContain('port-in-use')
  })

  it('says that it knows nothing, and what to do then', async () => {
    const { data, text } = await bench.call('troubleshoot', { errorMessage: 'flurb 77 gnarled the wozzle' })
    expect(data).toMatchObject({ confidence: 'low', rootCause: '', hypotheses: [], similarIssues: [] })
    expect(text).toMatch(/^No known pattern fits this error\.\n1\. Read the first error/)
    expect(text).toContain('remediation_save')
  })

  it('verifies first where it is guided', async () => {
    const { data } = await bench.call('troubleshoot', { errorMessage: PORT, mode: 'guided' })
    expect(data.recommendedActions).toMatchObject([
      { step: 1, description: expect.stringMatching(/^Verify: /) },
      { step: 2 },
      {},
      {},
    ])
  })

  it('takes what helped in this project for evidence, and does it first', async () => {
    const saved = await bench.call(
      'remediation_save',
      { errorMessage: PORT, errorType: 'EADDRINUSE', solution: 'Stop the old dev server: npm run dev:stop' },
      bench.folder,
    )
    expect(saved.isError, saved.text).toBe(false)
    const { data, text } = await bench.call(
      'troubleshoot',
      { errorMessage: PORT.replace('3000', '4000') },
      bench.folder,
    )
    expect(data.recommendedActions).toMatchObject([
      { description: expect.stringContaining('npm run dev:stop') },
      {},
      {},
      {},
      {},
    ])
    expect(data.similarIssues).toMatchObject([{ id: saved.data.id }, { id: 'port-in-use' }])
    expect(JSON.stringify(data.hypotheses)).toContain(`remediation ${saved.data.id}`)
    expect(data.confidence).toBe('high')
    expect(text).toContain('1. What helped before: Stop the old dev server')
  })

  it('answers by what helped before alone, where no pattern fits', async () => {
    const errorMessage = 'FlurbError: the wozzle of ring seven is gnarled'
    await bench.call(
      'remediation_save',
      { errorMessage, errorType: 'FlurbError', solution: 'Ungnarl it' },
      bench.folder,
    )
    const { data, text } = await bench.call('troubleshoot', { errorMessage }, bench.folder)
    expect(data.rootCause).toContain('Ungnarl it')
    expect(text).toContain('Ungnarl it')
  })

  it.each([
    [{ errorMessage: '' }],
    [{ errorMessage: 'x'.repeat(10_001) }],
    [{ errorMessage: 'x', stackTrace: 'x'.repeat(50_001) }],
    [{ errorMessage: 'x', mode: 'fast' }],
    [{ errorMessage: 'x', category: 'weather' }],
    [{ errorMessage: 'x', topK: 101 }],
    [{ errorMessage: 'x', context: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])) }],
  ])('refuses %o', async (args) => {
    expect((await bench.call('troubleshoot', args)).code).toBe('invalid_arguments')
  })

  it('answers by patterns while the store does not', async () => {
    await using broken = await openMemoryBench({ isStoreDown: true })
    const { data, text } = await broken.call('troubleshoot', { errorMessage: PORT })
    expect(data).toMatchObject({ confidence: 'high', sessionId: '' })
    expect(text).toContain('Earlier fixes could not be looked for')
    expect(text).not.toContain('troubleshoot_feedback')
  })
})

describe('the model of a client', () => {
  const UNSURE = 'the container on which the docker image of port runs is not listening'

  it('is asked where patterns are not sure, and what it says is shown as a guess', async () => {
    const { call, asked } = sampling(() => ({
      role: 'assistant',
      model: 'm-1',
      content: { type: 'text', text: 'The clock\u0007 is wrong.\n\nRun   date.' },
    }))
    const { data, text } = await bench.call(
      'troubleshoot',
      { errorMessage: UNSURE, mode: 'interactive' },
      undefined,
      call,
    )
    expect(asked).toMatchObject([{ guess: { method: 'sampling/createMessage' } }])
    expect(data.guess).toBe('The clock is wrong. Run date.')
    expect(text).toContain('A guess of your own model (m-1), not verified: "The clock is wrong. Run date."')
    expect(JSON.stringify(data.recommendedActions)).not.toContain('clock')
  })

  it('is left alone where a pattern is sure, and where nobody wants to be asked', async () => {
    const { call, asked } = sampling(() => ({}))
    await bench.call('troubleshoot', { errorMessage: PORT, mode: 'interactive' }, undefined, call)
    await bench.call('troubleshoot', { errorMessage: UNSURE }, undefined, call)
    expect(asked).toEqual([])
  })

  it('that cannot be asked is told of', async () => {
    const { text } = await bench.call('troubleshoot', { errorMessage: UNSURE, mode: 'guided' })
    expect(text).toContain('Patterns only: this client does not let its model be asked.')
  })

  it.each([
    ['nothing', () => ({ content: { type: 'image', data: '' } }), 'said nothing'],
    ['no object', () => JSON.parse('{"content": 7}'), 'said nothing'],
    [
      'an error',
      () => {
        throw new Error('user said no')
      },
      'could not be asked (user said no)',
    ],
  ])('that answers with %s costs nothing but a note', async (_what, answer, wanted) => {
    const { call } = sampling(answer)
    const { text, isError } = await bench.call(
      'troubleshoot',
      { errorMessage: UNSURE, mode: 'interactive' },
      undefined,
      call,
    )
    expect(isError).toBe(false)
    expect(text).toContain(wanted)
  })

  it('that never answers is waited for until the call is cancelled', async () => {
    const controller = new AbortController()
    const { caller } = createCall({ caller: { capabilities: { sampling: {} } } })
    const ask: Call['ask'] = (_requests, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        controller.abort()
      })
    const call = { caller, ask, signal: controller.signal }
    const { code } = await bench.call('troubleshoot', { errorMessage: UNSURE, mode: 'interactive' }, undefined, call)
    expect(code).toBe('E_CANCELLED')
  })

  it('that says too much is cut', async () => {
    const { call } = sampling(() => ({ content: [{ type: 'text', text: 'x'.repeat(100_000) }] }))
    const { data, text } = await bench.call(
      'troubleshoot',
      { errorMessage: UNSURE, mode: 'interactive' },
      undefined,
      call,
    )
    expect(String(data.guess).length).toBeLessThanOrEqual(600)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_200)
  })
})

describe('troubleshoot_feedback', () => {
  it('counts for the pattern of a diagnosis, once, and is seen by the next', async () => {
    const { data } = await bench.call('troubleshoot', {
      errorMessage: 'fatal: not a git repository (or any of the parent directories): .git',
    })
    const sessionId = String(data.sessionId)
    const told = await bench.call('troubleshoot_feedback', { sessionId, worked: true })
    expect(told.data).toEqual({ patternId: 'git-not-a-repository', worked: 1, failed: 0, successRate: 1 })
    expect((await bench.call('troubleshoot_feedback', { sessionId, worked: true })).code).toBe('E_FEEDBACK_EXISTS')
    const next = await bench.call('troubleshoot', { errorMessage: 'fatal: not a git repository' })
    expect(next.data.similarIssues).toMatchObject([{ id: 'git-not-a-repository', successRate: 1 }])
    expect(Number(next.data.confidenceScore)).toBeGreaterThan(Number(data.confidenceScore))
  })

  it('counts for a pattern by its name, and asks for what helps where it did not', async () => {
    const { data, text } = await bench.call('troubleshoot_feedback', { patternId: 'disk-full', worked: false })
    expect(data).toMatchObject({ patternId: 'disk-full', worked: 0, failed: 1, successRate: 0 })
    expect(text).toContain('remediation_save')
  })

  it('loses no count when many tell at once, and counts no diagnosis twice', async () => {
    const tell = (args: JsonObject) => bench.call('troubleshoot_feedback', { worked: true, ...args })
    await Promise.all(Array.from({ length: 20 }, () => tell({ patternId: 'go-nil-map' })))
    const { data } = await bench.call('troubleshoot', { errorMessage: 'panic: assignment to entry in nil map' })
    const both = await Promise.all([1, 2].map(() => tell({ sessionId: String(data.sessionId) })))
    expect(both.map(({ code }) => code).sort()).toEqual(['', 'E_FEEDBACK_EXISTS'])
    expect(both.find(({ code }) => code === '')?.data).toMatchObject({ worked: 21 })
  })

  it('refuses what leads nowhere', async () => {
    const tell = (args: JsonObject) => bench.call('troubleshoot_feedback', { worked: true, ...args })
    expect((await tell({})).code).toBe('invalid_arguments')
    expect((await tell({ sessionId: 'a', patternId: 'b' })).code).toBe('invalid_arguments')
    expect((await tell({ sessionId: 'nosuch' })).code).toBe('E_SESSION_NOT_FOUND')
    expect((await tell({ patternId: 'nosuch' })).code).toBe('E_PATTERN_NOT_FOUND')
    expect((await tell({ sessionId: 'pattern:disk-full' })).code).toBe('E_SESSION_NOT_FOUND')
    const { data } = await bench.call('troubleshoot', { errorMessage: 'flurb 78' })
    expect((await tell({ sessionId: String(data.sessionId) })).code).toBe('E_NO_PATTERN')
  })
})

describe('list_patterns', () => {
  it('lists those of a category and severity, the most used first', async () => {
    const all = await bench.call('list_patterns', {})
    expect(all.data).toMatchObject({ total: PATTERNS.length })
    expect(all.text).toContain(`${PATTERNS.length - 10} more`)
    const { data, text } = await bench.call('list_patterns', { category: 'storage', severity: 'critical', limit: 100 })
    expect(JSON.stringify(data.patterns)).toMatch(/^\[\{"id":"(?:disk-full|sqlite-damaged)"/)
    expect(data.total).toBe(2)
    expect(text).toContain('disk-full [storage] The disk is full')
  })

  it('knows which helped', async () => {
    await using own = await openMemoryBench()
    await own.call('troubleshoot', { errorMessage: PORT })
    await own.call('troubleshoot_feedback', { patternId: 'port-in-use', worked: true })
    const { data } = await own.call('list_patterns', { minSuccessRate: 0.5 })
    expect(data).toMatchObject({ total: 1, patterns: [{ id: 'port-in-use', usageCount: 1, successRate: 1 }] })
    await own.reopen()
    expect((await own.call('list_patterns', { minSuccessRate: 0.5 })).data.total).toBe(1)
    expect((await own.call('list_patterns', { minSuccessRate: 0.9, severity: 'critical' })).text).toContain('None of')
  })
})
