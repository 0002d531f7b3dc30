/** Alone: what is measured wants the machine, and the folder of built programs is compared before and after. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLeakCheck, createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WindowsReport } from '../src/windows/report.ts'
import { BUILT, runBenchmark } from './support/run-benchmark.ts'

const leaks = createLeakCheck({ markers: [join(BUILT, 'run-')] })
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

test('a quick run measures windows both ways, prints it as JSON, writes the table and leaves nothing behind', async () => {
  await using folder = await createTemporaryDirectory()
  const before = await readdir(BUILT).catch(() => [])
  const { code, stdout, stderr } = await runBenchmark('windows', '--quick', '--json', '--output', folder.path)
  expect(code, stderr).toBe(0)

  const { fleet, calls, memory, firstAnswers, targets } = JSON.parse(stdout) as WindowsReport
  expect(fleet.map(({ way, fronts, servers }) => ({ way, fronts, servers }))).toEqual([
    { way: 'direct', fronts: 0, servers: 4 },
    { way: 'switchboard', fronts: 2, servers: 2 },
  ])
  expect(fleet.filter(({ memoryMB }) => !(memoryMB > 0))).toEqual([])
  expect(calls.map(({ concurrency, way }) => `${concurrency} ${way}`)).toEqual([
    '1 stdio, directly',
    '1 HTTP to the daemon',
    '1 front to the daemon',
    '16 stdio, directly',
    '16 HTTP to the daemon',
    '16 front to the daemon',
  ])
  expect(calls.filter((row) => !(row.calls > 0 && row.p50Ms > 0 && row.ratioToHttp > 0))).toEqual([])
  expect(memory.idle.resident).toBeGreaterThan(memory.empty.resident)
  expect(firstAnswers.filter(({ medianMs }) => !(medianMs > 0))).toEqual([])
  expect(targets.map(({ name }) => name)).toContain('server processes of 2 windows')

  const table = await readFile(folder.file('windows.md'), 'utf8')
  expect(table).toContain('# Windows: 2 windows with 2 servers each')
  expect(table).toContain('fronts on one daemon')
  expect(await readdir(BUILT)).toEqual(before)
})
