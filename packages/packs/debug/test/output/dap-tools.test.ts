import { INSTANCE } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../src/engine/debug-session.ts'
import { FakeSession } from '../helpers/fake-session.ts'
import { createOutputPack } from '../helpers/output-pack.ts'

const GO_ON = expect.stringContaining('debug_continue')
const CATASTROPHE = '(a+)+$'

function createRun() {
  let now = 1_000_000
  const { output, call } = createOutputPack({ now: () => now })
  const run = (id: string, ...events: readonly SessionEvent[]) => {
    const session = new FakeSession(id)
    for (const event of events) {
      output.record(INSTANCE, { id, session }, event)
      now += 500
    }
    return session
  }
  return { output, call, run }
}

const out = (text: string): SessionEvent => ({ type: 'output', category: 'stdout', text: `${text}\n` })
const err = (text: string): SessionEvent => ({ type: 'output', category: 'stderr', text: `${text}\n` })
const end = (exitCode: number): readonly SessionEvent[] => [{ type: 'exited', exitCode }, { type: 'terminated' }]

describe('dap_* tools', () => {
  it.each([
    ['dap_logs', {}],
    ['dap_summary', {}],
    ['dap_search', { pattern: 'x' }],
    ['dap_timeline', {}],
    ['dap_stats', {}],
    ['dap_filter', { filters: { minLength: 1 } }],
    ['dap_exceptions', {}],
    ['dap_compare', { sessionA: 'a', sessionB: 'b' }],
  ])('%s says that there is no session', async (name, args) => {
    const { call } = createRun()
    expect(await call(name, args)).toMatchObject({ isError: true, code: 'E_NO_SESSION' })
  })

  it('names the sessions that there are when one is not found', async () => {
    const { call, run } = createRun()
    run('s1', out('x'))
    run('s2', out('x'))
    expect((await call('dap_logs', { sessionId: 's7' })).text).toContain('s1, s2')
    expect(await call('dap_compare', { sessionA: 's1', sessionB: 's7' })).toMatchObject({ code: 'E_SESSION_NOT_FOUND' })
    expect(await call('dap_summary', { sessionId: 's7' })).toMatchObject({ code: 'E_INVALID_SESSION_ID' })
  })

  it('dap_logs shows the last lines of a category, and what it left out', async () => {
    const { call, run } = createRun()
    run('s1', out('one'), err('two'), out('three'), out('four'))
    const answer = await call('dap_logs', { category: 'stdout', count: 2 })
    expect(answer.text).toBe('2 of 3 lines, session s1 (running)\nthree\nfour')
    expect(answer.data).toMatchObject({ matched: 3, total: 4, filtered: { byCategory: 1, bySearch: 0, byTime: 0 } })
    expect((await call('dap_logs', { reverse: true, count: 1 })).text).toContain('four')
    expect((await call('dap_logs', { search: 't[wh]' })).data).toMatchObject({ matched: 2 })
    expect((await call('dap_logs', { since: 1_001_000 })).data).toMatchObject({ matched: 2 })
  })

  it('dap_logs tells a program that printed nothing from one that is not there', async () => {
    const { call, run } = createRun()
    run('s1', { type: 'thread', threadId: 1, change: 'started' })
    expect(await call('dap_logs')).toMatchObject({ isError: true, code: 'E_NO_LOGS', error: { hint: GO_ON } })
  })

  it.each([
    ['dap_logs', 'E_NO_LOGS', {}],
    ['dap_stats', 'E_NO_DATA', { groupBy: 'session' }],
    ['dap_compare', 'E_INSUFFICIENT_DATA', { sessionA: 's1', sessionB: 's1', compareBy: 'outputs' }],
  ])('%s sends nobody on with a program that has ended', async (name, code, args) => {
    const { call, run } = createRun()
    run('s1', ...end(0))
    const ended = await call(name, args)
    expect(ended).toMatchObject({ isError: true, code, error: { hint: expect.stringContaining('dap_timeline') } })
    expect(ended.text).toMatch(/s1 has printed nothing, and has ended/)
    expect(ended.text).not.toContain('debug_continue')
    expect((await call('dap_timeline')).isError).toBe(false)
    run('s1', { type: 'thread', threadId: 1, change: 'started' })
    expect(await call(name, args)).toMatchObject({ code, error: { hint: GO_ON } })
  })

  it('refuses counts that are out of bounds', async () => {
    const { call } = createRun()
    expect(await call('dap_logs', { count: 10_001 })).toMatchObject({ code: 'invalid_arguments' })
    expect(await call('dap_search', { pattern: 'x', contextLines: 21 })).toMatchObject({ code: 'invalid_arguments' })
  })

  it('dap_search looks in all sessions, with lines around', async () => {
    const { call, run } = createRun()
    run('s1', out('before'), out('Warning: low'), out('after'), ...end(0))
    run('s2', out('warning: again'))
    const answer = await call('dap_search', { pattern: 'warn(ing)?:', contextLines: 1 })
    expect(answer.data).toMatchObject({ totalMatches: 2, matchesBySession: { s1: 1, s2: 1 }, truncated: false })
    expect(answer.text).toContain('  before\n> Warning: low\n  after')
    expect(await call('dap_search', { pattern: 'warn', caseSensitive: true })).toMatchObject({
      data: { totalMatches: 1 },
    })
    expect(await call('dap_search', { pattern: 'nothing like it' })).toMatchObject({ code: 'E_NO_RESULTS' })
    expect(await call('dap_search', { pattern: '(' })).toMatchObject({ code: 'E_INVALID_REGEX' })
  })

  it('dap_search gives up a pattern that would take for ever, and goes on working', async () => {
    const { call, run } = createRun()
    run('s1', out(`${'a'.repeat(60)}!`))
    expect(await call('dap_search', { pattern: CATASTROPHE })).toMatchObject({ isError: true, code: 'E_TIMEOUT' })
    expect(await call('dap_search', { pattern: 'a+!' })).toMatchObject({ isError: false })
  })

  it('dap_timeline shows events and output in order, or the milestones alone', async () => {
    const { call, run } = createRun()
    run('s1', out('one'), out('two'), { type: 'child', session: new FakeSession('s1.1', 'child.js') }, ...end(2))
    expect((await call('dap_timeline', { granularity: 'summary' })).text.split('\n')).toEqual([
      '+0.000s started app.js',
      '+0.000s output 2 lines, the first: one',
      '+1.000s child child.js',
      '+1.500s exited code 2',
      '+2.000s terminated',
    ])
    expect((await call('dap_timeline', { granularity: 'milestones', window: 600, fromEnd: true })).data).toMatchObject({
      eventCount: 2,
    })
    expect(await call('dap_timeline', { eventTypes: ['exception'] })).toMatchObject({ code: 'E_NO_EVENTS' })
  })

  it('dap_filter combines its criteria', async () => {
    const { call, run } = createRun()
    run('s1', out('error: a'), err('error: retry'), err('error: b'), out('fine'))
    const answer = await call('dap_filter', {
      filters: { include: ['ERROR'], exclude: ['retry'], categories: ['stderr'] },
    })
    expect(answer.data).toMatchObject({ totalFiltered: 1, totalInSession: 4, stats: { stderr: 1 } })
    expect(await call('dap_filter', { filters: {} })).toMatchObject({ code: 'E_INVALID_FILTERS' })
    expect(await call('dap_filter', { filters: { minLength: 9, maxLength: 3 } })).toMatchObject({
      code: 'E_INVALID_FILTERS',
    })
    expect(await call('dap_filter', { filters: { include: ['zzz'] } })).toMatchObject({ code: 'E_NO_RESULTS' })
  })

  it('dap_summary tells how it ended', async () => {
    const { call, run } = createRun()
    run('s1', out('one'), err('bad'), ...end(3))
    const answer = await call('dap_summary')
    expect(answer.data).toMatchObject({
      counts: { stdout: 1, stderr: 1, exceptions: 0 },
      metrics: { duration: 1_500 },
      health: { exitCode: 3, abnormalExit: true, errorRatio: 0.5, truncated: false },
      samples: { stderr: ['bad'] },
    })
    expect(answer.text).toContain('ended with code 3 after 1.5 s')
    expect((await call('dap_summary', { compact: true })).data.samples).toBeUndefined()
  })

  it('dap_stats counts, and points out what is unusual', async () => {
    const { call, run } = createRun()
    run('s1', err('same'), err('same'), err('other'), out('x'), ...end(1))
    const answer = await call('dap_stats')
    expect(answer.data).toMatchObject({ distribution: { stdout: 1, stderr: 3 }, topN: [{ text: 'same', count: 2 }] })
    expect(answer.data.anomalies).toEqual(['s1: ended with 1', 's1: most of its output went to stderr'])
    run('s2', out('y'))
    expect((await call('dap_stats', { groupBy: 'session' })).data).toMatchObject({ distribution: { s1: 4, s2: 1 } })
  })

  it.each([
    [
      'Python',
      [
        'Traceback (most recent call last):',
        '  File "app.py", line 3, in <module>',
        '    f()',
        'ValueError: no such thing',
      ],
      'ValueError',
    ],
    ['Node', ['TypeError: x is not a function', '    at main (/w/app.js:4:1)', '', 'Node.js v24.1.0'], 'TypeError'],
    ['Go', ['panic: no such thing', '', 'goroutine 1 [running]:'], 'panic'],
    ['Rust', ["thread 'main' panicked at src/main.rs:4:5:", 'no such thing'], 'panic'],
  ])('dap_exceptions reads what %s prints when it dies', async (_language, lines, type) => {
    const { call, run } = createRun()
    run('s1', out('before'), ...lines.map(err), ...end(1))
    const answer = await call('dap_exceptions')
    expect(answer.data).toMatchObject({ total: 1, exceptions: [{ type, from: 'output', before: ['before'] }] })
  })

  it('dap_exceptions tells one once that was a stop and was printed too', async () => {
    const { call, output } = createRun()
    const session = new FakeSession('s1')
    session.exception = { type: 'ValueError', message: 'no such thing' }
    output.record(
      INSTANCE,
      { id: 's1', session },
      {
        type: 'stopped',
        threadId: 1,
        reason: 'exception',
        breakpointIds: [],
        allThreads: true,
      },
    )
    for (const line of ['Traceback (most recent call last):', '  File "app.py"', 'ValueError: no such thing']) {
      output.record(INSTANCE, { id: 's1', session }, err(line))
    }
    await expect
      .poll(async () => (await call('dap_exceptions')).data)
      .toMatchObject({
        total: 1,
        exceptions: [{ from: 'stop', type: 'ValueError' }],
      })
  })

  it('dap_exceptions says when there were none', async () => {
    const { call, run } = createRun()
    run('s1', out('fine'))
    expect(await call('dap_exceptions')).toMatchObject({ code: 'E_NO_EXCEPTIONS' })
  })

  it('dap_compare finds the first line that differs', async () => {
    const { call, run } = createRun()
    run('s1', out('same'), out('left'), ...end(0))
    run('s2', out('same'), out('right'), out('more'), ...end(1))
    expect((await call('dap_compare', { sessionA: 's1', sessionB: 's2', compareBy: 'outputs' })).data).toMatchObject({
      same: false,
      differences: [
        { what: 'line 2', a: 'left', b: 'right' },
        { what: 'line 3', b: 'more' },
      ],
    })
    expect((await call('dap_compare', { sessionA: 's1', sessionB: 's2' })).data.differences).toContainEqual({
      what: 'exitCode',
      a: '0',
      b: '1',
    })
    expect((await call('dap_compare', { sessionA: 's1', sessionB: 's1' })).data).toMatchObject({ same: true })
  })
})

describe('docs_* tools', () => {
  it('list the guides and give each, also as prompts', async () => {
    const { call } = createRun()
    const list = await call('docs_list', { tags: ['test'] })
    expect(list.text).toContain('debug-a-failing-test:')
    expect((await call('docs_get', { id: 'debug-a-failing-test' })).text).toMatch(/^# Debug a failing test\n/)
  })

  it('tell an id that cannot be from one that is not there', async () => {
    const { call } = createRun()
    expect(await call('docs_get', { id: '../x' })).toMatchObject({ code: 'E_INVALID_ID' })
    const missing = await call('docs_get', { id: 'no-such-guide' })
    expect(missing).toMatchObject({ code: 'E_DOC_NOT_FOUND' })
    expect(missing.text).toContain('debug-a-hang')
  })

  it('show the tags when none has the one that was asked for', async () => {
    const { call } = createRun()
    expect((await call('docs_list', { category: 'cooking' })).text).toContain('exception')
  })
})
