import { readFile } from 'node:fs/promises'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { writePlayset } from '../src/lens/playset.ts'
import type { LensReport } from '../src/lens/report.ts'
import { runBenchmark } from './support/run-benchmark.ts'

test('a quick run measures a playset and the project, prints it as JSON and writes the table', async () => {
  await using folder = await createTemporaryDirectory()
  // There is no mod here: it says so, and goes on.
  const args = ['--quick', '--json', '--rows', '40', '--data', folder.path, '--output', folder.path]
  const { code, stdout, stderr } = await runBenchmark('lens', ...args)
  expect(code, stderr).toBe(0)
  const { sets, missing, targets } = JSON.parse(stdout) as LensReport
  expect(sets.map(({ name }) => name)).toEqual(['written playset', 'this project'])
  expect(missing[0]).toContain('real mod')
  const [playset, project] = sets
  expect(playset?.files).toBe(80)
  const works = playset?.readings.map(({ work, threads }) => `${work} ${threads}`)
  expect(works).toEqual(['read 1', 'read 2', 'parse 1', 'parse 2', 'extract 1', 'extract 2'])
  // Everything that the program wrote can be read.
  expect(playset?.readings.filter(({ work }) => work === 'parse').map(({ found }) => found)).toEqual([0, 0])
  const symbols = project?.readings.find(({ work }) => work === 'extract')?.found ?? 0
  expect(symbols).toBeGreaterThan(100)
  for (const { build } of sets) {
    expect(build?.buildSeconds).toBeGreaterThan(0)
    expect(build?.editMs.length).toBe(1)
    expect(build?.healthMs.length).toBeGreaterThan(0)
    expect(build?.commonBytes).toBeGreaterThan(50)
  }
  expect(targets.map(({ name }) => name)).toContain('this project: an edit is searchable')
  expect(await readFile(folder.file('lens.md'), 'utf8')).toContain('| written playset |')
}, 180_000)

test('a playset is the same for the same seed', async () => {
  await using folder = await createTemporaryDirectory()
  const first = await writePlayset(folder.file('a'), 20, 3)
  expect(await writePlayset(folder.file('b'), 20, 3)).toEqual(first)
  expect(await writePlayset(folder.file('c'), 20, 4)).not.toEqual(first)
})
