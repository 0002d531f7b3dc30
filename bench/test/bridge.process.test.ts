import { readFile } from 'node:fs/promises'
import { createLeakCheck, createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BridgeReport } from '../src/bridge/report.ts'
import { runBenchmark } from './support/run-benchmark.ts'

const leaks = createLeakCheck({ markers: ['bench/src/bridge/window.ts'] })
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

test('a quick run asks a window, prints it as JSON, writes the table and leaves nothing behind', async () => {
  await using folder = await createTemporaryDirectory()
  const { code, stdout, stderr } = await runBenchmark('bridge', '--quick', '--json', '--output', folder.path)
  expect(code, stderr).toBe(0)
  const { rows, targets } = JSON.parse(stdout) as BridgeReport
  expect(rows.map(({ commands }) => commands)).toEqual([20, 20, 20])
  expect(rows.filter(({ p50Ms, p99Ms, mostMs }) => !(p50Ms > 0 && p50Ms <= p99Ms && p99Ms <= mostMs))).toEqual([])
  expect(targets.map(({ name }) => name)).toEqual(['a trivial command, median', 'a trivial command, p99'])
  expect(await readFile(folder.file('bridge.md'), 'utf8')).toContain('# Bridge: a command to a VS Code window')
})
