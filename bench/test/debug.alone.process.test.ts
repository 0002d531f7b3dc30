/** Alone: what is measured wants the machine, and the folder of built programs is compared before and after. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLeakCheck, createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DebugReport } from '../src/debug/report.ts'
import { BUILT, runBenchmark } from './support/run-benchmark.ts'

const leaks = createLeakCheck({ markers: [join(BUILT, 'run-')] })
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

test('a quick run debugs without peers, prints it as JSON, writes the table and leaves nothing behind', {
  timeout: 120_000,
}, async () => {
  await using folder = await createTemporaryDirectory()
  const before = await readdir(BUILT).catch(() => [])
  const { code, stdout, stderr } = await runBenchmark('debug', '--quick', '--json', '--output', folder.path)
  expect(code, stderr).toBe(0)

  const { rows, lists, leftOut, targets } = JSON.parse(stdout) as DebugReport
  expect(leftOut).toEqual([])
  expect(rows).toMatchObject([
    { language: 'Python', contender: 'switchboard', calls: 3, isAtLine: true, locals: 4 },
    { language: 'JavaScript', contender: 'switchboard', calls: 3, isAtLine: true, locals: 4 },
  ])
  expect(
    rows.filter(({ bytes, firstStopMs, totalMs }) => !(bytes > 100 && firstStopMs > 0 && totalMs > firstStopMs)),
  ).toEqual([])
  expect(lists.map(({ contender }) => contender)).toEqual(['switchboard'])
  expect(targets.filter(({ met }) => met === false)).toEqual([])

  const table = await readFile(folder.file('debug.md'), 'utf8')
  expect(table).toContain('# Debugging: start, breakpoint, stack and locals, step, locals, end')
  expect(await readdir(BUILT).catch(() => [])).toEqual(before)
})
