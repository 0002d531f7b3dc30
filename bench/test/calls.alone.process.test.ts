/** Alone: what is measured wants the machine, and the folder of built programs is compared before and after. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLeakCheck, createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CallsReport } from '../src/calls/report.ts'
import { BUILT, runBenchmark } from './support/run-benchmark.ts'

const leaks = createLeakCheck({ markers: [join(BUILT, 'run-')] })
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

test('a quick run measures every client in every cell, prints it as JSON, writes the table and leaves nothing behind', async () => {
  await using folder = await createTemporaryDirectory()
  const before = await readdir(BUILT).catch(() => [])
  const { code, stdout, stderr } = await runBenchmark(
    'calls',
    '--quick',
    '--calls',
    '3',
    '--json',
    '--output',
    folder.path,
  )
  expect(code, stderr).toBe(0)

  const { cells, memory, start, targets } = JSON.parse(stdout) as CallsReport
  const clients = cells.map(({ cell, columns }) => [
    `${cell.transport} ${cell.bytes} ${cell.concurrency}`,
    columns.map(({ name }) => name).join(' '),
  ])
  expect(Object.fromEntries(clients)).toEqual({
    'stdio 10 1': 'direct sdk pool',
    'stdio 10 16': 'direct sdk pool',
    'stdio 10 64': 'direct sdk pool pool-64',
    'stdio 20000 1': 'direct sdk pool',
    'stdio 20000 16': 'direct sdk pool',
    'stdio 20000 64': 'direct sdk pool pool-64',
    'http legacy 10 1': 'direct pool',
    'http legacy 10 16': 'direct pool',
    'http modern 10 1': 'direct pool',
    'http modern 10 16': 'direct pool',
  })
  const numbers = cells.flatMap(({ columns }) =>
    columns.flatMap(({ p50Ms, p99Ms, callsPerSecond }) => [p50Ms, p99Ms, callsPerSecond]),
  )
  expect(numbers.filter((value) => !(value > 0))).toEqual([])
  expect(memory.rows.map(({ upstreams }) => upstreams)).toEqual([1, 2])
  expect(start.poolMs).toBeGreaterThan(0)
  expect(targets).toHaveLength(9)

  const table = await readFile(folder.file('calls.md'), 'utf8')
  expect(table).toContain('# Calls: the pool against a direct connection')
  expect(table).toContain('pool, concurrency 64')
  expect(await readdir(BUILT)).toEqual(before)
})

test('help is printed and nothing is run', async () => {
  const { code, stdout } = await runBenchmark('--help')
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: npm run bench -- <name>')
})

test.each([
  { args: ['caals'], message: 'There is no benchmark "caals".' },
  { args: [], message: 'Name a benchmark.' },
  { args: ['calls', '--calls', 'many'], message: '--calls needs a positive whole number, not "many".' },
  { args: ['gateway', '--peers', 'nobody'], message: '--peers names "nobody"; known are mcp-proxy, supergateway,' },
  { args: ['calls', '--fast'], message: "Unknown option '--fast'" },
])('wrong arguments ($args) are named, with exit code 2', async ({ args, message }) => {
  const { code, stdout, stderr } = await runBenchmark(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).toContain('Usage:')
})
