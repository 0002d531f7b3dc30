import { readFile } from 'node:fs/promises'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { findPostgres } from '@switchboard/testkit/postgres'
import { expect, test } from 'vitest'
import { Corpus } from '../src/store/corpus.ts'
import type { StoreReport } from '../src/store/report.ts'
import { runBenchmark } from './support/run-benchmark.ts'

test('a run measures writing, finding and both at once, prints it as JSON and writes the table', async () => {
  await using folder = await createTemporaryDirectory()
  const { code, stdout, stderr } = await runBenchmark('store', '--quick', '--json', '--output', folder.path)
  expect(code, stderr).toBe(0)
  const { rows } = JSON.parse(stdout) as StoreReport
  const engines = findPostgres()?.pgvector === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']
  expect(rows).toMatchObject(engines.map((engine) => ({ engine, rows: 500 })))
  for (const { insertPerSecond, all, readersBusy, rowsBeside } of rows) {
    for (const value of [insertPerSecond, all.p50Ms, readersBusy.p99Ms, rowsBeside]) expect(value).toBeGreaterThan(0)
  }
  const table = await readFile(folder.file('store.md'), 'utf8')
  for (const engine of engines) expect(table).toContain(`| ${engine} `)
})

test('texts are the same for a seed, and few words stand everywhere while most stand hardly anywhere', () => {
  const textsOf = (seed: number): string[] => {
    const corpus = new Corpus(seed)
    return Array.from({ length: 2_000 }, () => corpus.text())
  }
  const texts = textsOf(1)
  expect(textsOf(1)).toEqual(texts)
  expect(textsOf(2)).not.toEqual(texts)
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of new Set(text.split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts.values()].sort((a, b) => b - a)
  expect(sorted[0]).toBeGreaterThan(texts.length / 2)
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(2)
})
