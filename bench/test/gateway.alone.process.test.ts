/** Alone: what is measured wants the machine, and the folder of built programs is compared before and after. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLeakCheck, createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GatewayReport } from '../src/gateway/report.ts'
import { BUILT, runBenchmark } from './support/run-benchmark.ts'

const leaks = createLeakCheck({ markers: [join(BUILT, 'run-')] })
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

test('a quick run without peers measures us by every client, prints it as JSON, writes the table and leaves nothing behind', async () => {
  await using folder = await createTemporaryDirectory()
  const before = await readdir(BUILT).catch(() => [])
  const { code, stdout, stderr } = await runBenchmark('gateway', '--quick', '--json', '--output', folder.path)
  expect(code, stderr).toBe(0)

  const { rows, fairness, leftOut, sessions, starts, targets } = JSON.parse(stdout) as GatewayReport
  const ofConcurrency = (concurrency: number): string[] =>
    rows.filter((row) => row.concurrency === concurrency).map(({ contender, client }) => `${contender} by ${client}`)
  const expected = [
    'direct by raw',
    'switchboard by raw',
    'switchboard by raw, modern',
    'direct by SDK',
    'switchboard by SDK',
    'direct by stdio',
    'switchboard by stdio',
    'switchboard by stdio, modern',
  ]
  for (const concurrency of [1, 16, 64]) expect(ofConcurrency(concurrency)).toEqual(expected)
  expect(leftOut).toEqual([])
  expect(rows.filter(({ calls, p50Ms, callsPerSecond }) => !(calls > 0 && p50Ms > 0 && callsPerSecond > 0))).toEqual([])
  expect(rows.filter(({ contender, ratio }) => (contender === 'direct') !== (ratio === undefined))).toEqual([])
  expect(fairness.map(({ contender, toolMs, flood }) => `${contender} ${toolMs} ms ${flood}`)).toEqual([
    'direct 0 ms 10',
    'direct 2 ms 10',
    'switchboard 0 ms 10',
    'switchboard 2 ms 10',
  ])
  expect(fairness.filter(({ p95Ms, floodPerSecond }) => !(p95Ms.besideFlood > 0 && floodPerSecond > 0))).toEqual([])
  expect(sessions.map(({ hasStream, rows: sizes }) => [hasStream, sizes.map((row) => row.sessions)])).toEqual([
    [false, [1, 5]],
    [true, [1, 5]],
  ])
  expect(starts.map(({ contender, upstreams, kind }) => `${contender} ${upstreams} ${kind}`)).toEqual([
    'direct 1 first',
    'switchboard 1 first',
    'switchboard 1 again',
    'switchboard 2 first',
    'switchboard 2 again',
  ])
  // Nobody to compare our CPU with: that is said, and not taken for kept.
  expect(targets.filter(({ met }) => met === undefined).map(({ name }) => name)).toEqual([
    'CPU a call, raw',
    'CPU a call, raw, modern',
  ])

  const table = await readFile(folder.file('gateway.md'), 'utf8')
  expect(table).toContain('# Gateways: one stdio server behind each')
  expect(table).toContain('not measured')
  expect(await readdir(BUILT)).toEqual(before)
})
