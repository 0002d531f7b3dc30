import { appendFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAudit } from '../../src/audit/read-audit.ts'
import { createFolder } from '../support/workspace.ts'

function line(ts: string, traceId: string, more: Record<string, unknown> = {}): string {
  const inst = 'tt79-6f854d'
  const call = { session: null, caller: null, tool: 'a_b', provider: 'a', params_summary: '', outcome: 'ok' }
  return `${JSON.stringify({ ts, inst, trace_id: traceId, ...call, duration_ms: 1, bytes: 0, ...more })}\n`
}

function at(second: number): string {
  return `2026-03-10T12:00:${String(second).padStart(2, '0')}.000Z`
}

test('merges the files of all instances, rotated ones included, and gives the last ones', async () => {
  const folder = createFolder()
  writeFileSync(join(folder, 'aaaa-000001.jsonl'), line(at(1), 'a1') + line(at(4), 'a4'))
  writeFileSync(join(folder, 'bbbb-000002.jsonl'), line(at(2), 'b2') + line(at(5), 'b5'))
  writeFileSync(join(folder, 'bbbb-000002.2026-03-09.1.jsonl'), line('2026-03-09T01:00:00.000Z', 'b0'))
  const ids = async (limit: number) => (await readAudit({ directory: folder, limit })).map((entry) => entry.trace_id)
  expect(await ids(10)).toEqual(['b0', 'a1', 'b2', 'a4', 'b5'])
  expect(await ids(3)).toEqual(['b2', 'a4', 'b5'])
  expect(await ids(0)).toEqual([])
})

test('leaves out files that were last written before all of what is found', async () => {
  const folder = createFolder()
  writeFileSync(join(folder, 'aaaa-000001.jsonl'), line(at(30), 'new'))
  // Nothing may be read from it: its time says that it is old, its text would not.
  writeFileSync(join(folder, 'bbbb-000002.jsonl'), line(at(59), 'lie'))
  utimesSync(join(folder, 'bbbb-000002.jsonl'), new Date(at(1)), new Date(at(1)))
  expect(await readAudit({ directory: folder, limit: 1 })).toMatchObject([{ trace_id: 'new' }])
})

test('finds a trace by what it begins with, and nothing by text elsewhere', async () => {
  const folder = createFolder()
  const other = line(at(2), 'beef', { params_summary: '"trace_id":"abc' })
  writeFileSync(join(folder, 'aaaa-000001.jsonl'), line(at(1), 'abcd') + other + line(at(3), 'abce'))
  const found = await readAudit({ directory: folder, traceId: 'abc', limit: 10 })
  expect(found.map((entry) => entry.trace_id)).toEqual(['abcd', 'abce'])
})

test('passes over notices, torn lines and whatever else stands there', async () => {
  const folder = createFolder()
  const file = join(folder, 'aaaa-000001.jsonl')
  writeFileSync(file, `{"ts":"${at(1)}","inst":"x","outcome":"trail_dropped","trace_id":"a"}\nnull\n[]\n\u0000\n`)
  appendFileSync(file, line(at(2), 'whole') + line(at(3), 'torn').slice(0, 60))
  writeFileSync(join(folder, 'notes.txt'), line(at(4), 'foreign'))
  expect(await readAudit({ directory: folder, limit: 10 })).toMatchObject([{ trace_id: 'whole' }])
})

test('a folder that does not exist holds none, and one that is no folder is told', async () => {
  const folder = createFolder()
  expect(await readAudit({ directory: join(folder, 'none'), limit: 5 })).toEqual([])
  writeFileSync(join(folder, 'file'), '')
  await expect(readAudit({ directory: join(folder, 'file'), limit: 5 })).rejects.toThrow('cannot be read')
})
