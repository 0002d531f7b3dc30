/** Alone: what is measured wants the machine, and the folder of built programs is compared before and after. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLeakCheck, createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgainstReport } from '../src/against/report.ts'
import { BUILT, runBenchmark } from './support/run-benchmark.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const leaks = createLeakCheck({ markers: [join(BUILT, 'run-')] })
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

/** Against itself: what is shown is that both trees are run, not which is faster. */
async function compare(name: string): Promise<AgainstReport> {
  await using folder = await createTemporaryDirectory()
  const before = await readdir(BUILT).catch(() => [])
  const args = [name, '--against', ROOT, '--quick', '--json', '--output', folder.path]
  const { code, stdout, stderr } = await runBenchmark(...args)
  expect(code, stderr).toBe(0)
  expect(await readFile(folder.file(`${name}-against.md`), 'utf8')).toContain(`# ${name}: this tree against another`)
  expect(await readdir(BUILT).catch(() => [])).toEqual(before)
  return JSON.parse(stdout) as AgainstReport
}

test('calls of the pool are measured in two trees in turns', async () => {
  const { calls, targets } = await compare('calls')
  expect(calls.map(({ name, bytes, concurrency }) => `${name} ${bytes} ${concurrency}`)).toEqual([
    'stdio 10 1',
    'stdio 10 16',
    'stdio 10 64',
    'stdio 20000 16',
    'http legacy 10 16',
    'http modern 10 16',
  ])
  expect(calls.filter(({ ratio }) => !(ratio.p50 > 0 && ratio.cpu > 0))).toEqual([])
  expect(targets.map(({ name }) => name)).toEqual(['p50, mean of the cells', 'CPU, mean of the cells'])
})

test('calls through the gateway are measured in two trees in turns', async () => {
  const { calls } = await compare('gateway')
  expect(calls.map(({ name, concurrency }) => `${name} ${concurrency}`)).toEqual(
    ['http legacy', 'stdio modern'].flatMap((name) => [`${name} 1`, `${name} 16`]),
  )
  expect(calls.filter(({ p50Ms }) => !(p50Ms.before > 0 && p50Ms.after > 0))).toEqual([])
})

test('starts and bundles of two trees are compared', { timeout: 120_000 }, async () => {
  const { starts, bundles } = await compare('start')
  expect(starts.filter(({ medianMs }) => !(medianMs.before > 0 && medianMs.after > 0))).toEqual([])
  expect(starts).toHaveLength(4)
  expect(bundles.map(({ file, before, after }) => [file, after - before])).toEqual([
    ['switchboard.mjs', 0],
    ['front.mjs', 0],
  ])
})

test.each([
  { args: ['start'], message: 'start needs --against.' },
  { args: ['debug', '--against', ROOT], message: '--against is for calls, gateway, start, not for "debug".' },
])('wrong arguments ($args) are named', async ({ args, message }) => {
  const { code, stderr } = await runBenchmark(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})
