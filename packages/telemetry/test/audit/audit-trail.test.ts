import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type AuditEntry, type AuditTrailOptions, createAuditTrail } from '../../src/audit/audit-trail.ts'
import { summarizeParams } from '../../src/audit/summarize-params.ts'
import { createClockAt, createFolder, DAY_MS, FakeStderr, listFiles, readLines } from '../support/workspace.ts'

const entry: AuditEntry = {
  trace_id: 'abc',
  session: null,
  caller: 'claude-code 1.0',
  tool: 'shell_run',
  provider: 'shell',
  params_summary: 'command="ls"',
  outcome: 'ok',
  duration_ms: 12,
  bytes: 345,
}

function createTrail(directory: string, options: Partial<AuditTrailOptions> = {}) {
  const clock = createClockAt('2026-03-10T12:00:00.000Z')
  const stderr = new FakeStderr()
  const trail = createAuditTrail({ directory, inst: 'tt79-6f854d', clock, stderr, ...options })
  onTestFinished(() => trail.close())
  return { trail, clock, stderr }
}

test('one entry a call, in the file of its instance', async () => {
  const folder = createFolder()
  const { trail } = createTrail(folder)
  trail.record(entry)
  trail.record({
    ...entry,
    outcome: 'error',
    code: 'timeout',
    params_summary: 'password=abc',
    ts: '2026-03-10T11:59:00.000Z',
  })
  await trail.flush()
  expect(readLines(join(folder, 'tt79-6f854d.jsonl'))).toEqual([
    '{"ts":"2026-03-10T12:00:00.000Z","inst":"tt79-6f854d","trace_id":"abc","session":null,"caller":"claude-code 1.0","tool":"shell_run","provider":"shell","params_summary":"command=\\"ls\\"","outcome":"ok","duration_ms":12,"bytes":345}',
    '{"ts":"2026-03-10T11:59:00.000Z","inst":"tt79-6f854d","trace_id":"abc","session":null,"caller":"claude-code 1.0","tool":"shell_run","provider":"shell","params_summary":"password=[masked]","outcome":"error","code":"timeout","duration_ms":12,"bytes":345}',
  ])
})

test('the trail rotates by day and keeps thirty', async () => {
  const folder = createFolder()
  const { trail, clock } = createTrail(folder)
  for (let day = 0; day < 40; day++) {
    trail.record(entry)
    await trail.flush()
    clock.advance(DAY_MS)
  }
  await trail.close()
  const files = listFiles(folder)
  expect(files).toHaveLength(31)
  expect(files[0]).toBe('tt79-6f854d.2026-03-19.1.jsonl')
})

test('a trail that cannot be written never fails a call, and its gap shows in it', async () => {
  const folder = join(createFolder(), 'traces')
  writeFileSync(folder, '')
  const { trail, stderr } = createTrail(folder)
  trail.record(entry)
  trail.record({ ...entry, duration_ms: 1n as unknown as number })
  await trail.flush()
  const [failed, given] = stderr.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(failed).toMatchObject({ outcome: 'trail_failed', inst: 'tt79-6f854d' })
  expect(given).toMatchObject({ tool: 'shell_run' })
})

test('an instance id from outside cannot leave the folder', async () => {
  const folder = createFolder()
  const { trail } = createTrail(folder, { inst: '../../evil' })
  trail.record(entry)
  await trail.close()
  expect(listFiles(folder)).toEqual([expect.stringMatching(/^______evil-[0-9a-f]{8}\.jsonl$/)])
})

test.each([
  [{ path: 'src/a.ts', limit: 10, deep: true }, 'path="src/a.ts", limit=10, deep=true'],
  [{ token: 'abc', env: { A: 1 } }, 'token="[masked]", env=[1 items]'],
  [{ items: [1, 2, 3], options: { a: 1, b: 2 } }, 'items=[3 items], options={a, b}'],
  [{ text: 'x'.repeat(5_000) }, `text="${'x'.repeat(40)}"… (5000 characters)`],
  [undefined, ''],
  [null, ''],
  ['just text', '"just text"'],
])('parameters %# are summarised', (params, expected) => {
  expect(summarizeParams(params)).toBe(expected)
})

test('a summary is bounded however many and large the parameters are', () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`name${index}`.repeat(50), 'y'.repeat(100)]),
  )
  expect(summarizeParams(many).length).toBeLessThanOrEqual(400)
})
