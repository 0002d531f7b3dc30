import { mkdir, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { TestHome } from '../run-main.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const OTHER = '4bf92f35ffffffffffffffffffffffff'

function at(ms: number): string {
  return new Date(Date.UTC(2026, 2, 10, 12) + ms).toISOString()
}

function audit(ms: number, traceId: string, more: Record<string, unknown> = {}): string {
  return `${JSON.stringify({
    ts: at(ms),
    inst: 'tt79-6f854d',
    trace_id: traceId,
    session: 's1',
    caller: 'claude-code',
    tool: 'files_read',
    provider: 'files',
    params_summary: 'path="a.txt"',
    outcome: 'ok',
    duration_ms: 40,
    bytes: 345,
    ...more,
  })}\n`
}

function log(ms: number, traceId: string | undefined, cat: string, msg: string, level = 'debug'): string {
  return `${JSON.stringify({ ts: at(ms), level, cat, inst: 'tt79-6f854d', trace_id: traceId, msg })}\n`
}

async function createHome({ traces = '', front = '', daemon = '' }): Promise<TestHome> {
  const home = await TestHome.create()
  onTestFinished(() => home[Symbol.asyncDispose]())
  await mkdir(home.file('logs'), { recursive: true })
  await mkdir(home.file('traces'), { recursive: true })
  if (traces !== '') await writeFile(home.file('traces', 'tt79-6f854d.jsonl'), traces)
  if (front !== '') await writeFile(home.file('logs', 'mcp-tt79-6f854d.log'), front)
  if (daemon !== '') await writeFile(home.file('logs', 'daemon.log'), daemon)
  return home
}

const WHOLE = {
  traces: audit(40, ID),
  front: log(0, ID, 'mcp.tool', 'tools/call passes') + log(1, undefined, 'mcp.init', 'not part of it'),
  daemon: log(1, ID, 'mcp.tool', 'start files_read') + log(2, ID, 'pool.call', 'files: sent'),
}

test('merges the logs of all processes and the audit entry in order, with offsets and sources', async () => {
  const home = await createHome(WHOLE)
  const { code, out, err } = await home.run(['trace', ID])
  expect([code, err]).toEqual([0, ''])
  expect(out.split('\n')).toEqual([
    `trace ${ID}`,
    'files_read of files · ok · 40ms · 345 bytes · claude-code (tt79-6f854d) · <time>',
    '',
    ' +0 ms  mcp-tt79-6f854d  mcp.tool   tools/call passes',
    ' +1 ms  daemon           mcp.tool   start files_read',
    ' +2 ms  daemon           pool.call  files: sent',
    '+40 ms  audit                       files_read: ok  params=path="a.txt" session=s1',
    '',
  ])
})

test.each([
  ['the beginning of its id', ID.slice(0, 8)],
  ['capital letters', ID.toUpperCase()],
  ['a whole traceparent', `00-${ID}-00f067aa0ba902b7-01`],
])('takes %s', async (_name, text) => {
  const home = await createHome(WHOLE)
  const { code, out } = await home.run(['trace', text, '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    trace_id: ID,
    calls: [{ tool: 'files_read' }],
    steps: [{ offset_ms: 0 }, { offset_ms: 1 }, { offset_ms: 2 }, { offset_ms: 40, source: 'audit' }],
  })
})

test('of a call whose steps were not logged it shows how far it came when, and how to get more', async () => {
  const times = { queued_ms: 1, sent_ms: 12, answered_ms: 39 }
  const home = await createHome({ traces: audit(40, ID, times) })
  const { out } = await home.run(['trace', ID])
  expect(out.split('\n').slice(3)).toEqual([
    ' +0 ms  audit  came in',
    ' +1 ms  audit  waits for its turn, or for files to be up',
    '+12 ms  audit  sent to files',
    '+39 ms  audit  files has answered',
    '+40 ms  audit  files_read: ok  params=path="a.txt" session=s1',
    '',
    'More of its way is logged at the level debug: start with SWITCHBOARD_LOG_LEVEL=debug.',
    '',
  ])
})

test('of a call that got no answer it shows none', async () => {
  const home = await createHome({ traces: audit(40, ID, { outcome: 'error', code: 'timeout', sent_ms: 0 }) })
  const { out } = await home.run(['trace', ID])
  expect(out).toContain('error: timeout')
  expect(out).toContain('sent to files')
  expect(out).not.toContain('answered')
  expect(out).toContain('+40 ms  audit  files_read: error (timeout)')
  expect(out).toContain('SWITCHBOARD_LOG_LEVEL=debug')
})

test('of a call that has not ended it shows what was logged so far', async () => {
  const home = await createHome({ daemon: WHOLE.daemon })
  const { code, out } = await home.run(['trace', ID])
  expect(code).toBe(0)
  expect(out).toContain('files: sent')
})

test('a beginning that several share is refused with all of them', async () => {
  const home = await createHome({ traces: audit(1, ID) + audit(2, OTHER, { tool: 'files_write' }) })
  const { code, err } = await home.run(['trace', '4bf9'])
  expect(code).toBe(2)
  expect(err).toContain('2 trace ids begin with 4bf9.')
  expect(err).toContain(`${OTHER} (files_write)`)
})

test('an id that nobody knows is answered with the last ones', async () => {
  const home = await createHome({ traces: audit(1, ID) })
  const { code, err } = await home.run(['trace', 'deadbeef'])
  expect(code).toBe(2)
  expect(err).toContain('No call with the trace id deadbeef is known.')
  expect(err).toContain('4bf92f35 (files_read)')
  const empty = await createHome({})
  expect((await empty.run(['trace', 'deadbeef'])).err).toContain('No call was recorded yet')
})

test.each([['xyz'], ['4b'], ['../../etc/passwd'], [`${ID}00`]])('%s is no trace id', async (text) => {
  const home = await createHome(WHOLE)
  const { code, err } = await home.run(['trace', text])
  expect(code).toBe(2)
  expect(err).toContain('is no trace id')
})

test('text in a message that looks like the id makes no step of its line', async () => {
  const home = await createHome({ traces: audit(40, ID), daemon: log(1, undefined, 'x', `"trace_id":"${ID}`) })
  const { out } = await home.run(['trace', ID, '--json'])
  expect(JSON.parse(out).steps).toMatchObject([{ msg: 'came in' }, { msg: 'files_read: ok' }])
})

test('--last lists the last calls with their ids, the newest last', async () => {
  const traces = audit(1, ID) + audit(2, OTHER, { tool: 'evil\u001b[2J', code: 'timeout', outcome: 'error' })
  const home = await createHome({ traces })
  const { code, out } = await home.run(['trace', '--last'])
  expect(code).toBe(0)
  const [header, first, second] = out.split('\n')
  expect(header).toMatch(/^TRACE +ENDED +TOOL +OUTCOME +TOOK +CALLER$/)
  expect(first).toMatch(/^4bf92f3577b3 +<time> +files_read +ok +40ms +claude-code$/)
  expect(second).toMatch(/^4bf92f35ffff .+evil␛\[2J +timeout/)
  expect(JSON.parse((await home.run(['trace', '--last', '1', '--json'])).out)).toMatchObject({
    calls: [{ trace_id: OTHER }],
  })
  expect((await home.run(['trace', '--last', 'none'])).code).toBe(2)
})

test('without an id it says where ids come from', async () => {
  const home = await createHome({})
  const { code, err } = await home.run(['trace'])
  expect(code).toBe(2)
  expect(err).toContain('switchboard trace --last')
  expect((await home.run(['trace', '--last'])).err).toContain('no call is recorded')
})
