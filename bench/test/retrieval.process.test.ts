import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { judge } from '../src/retrieval/judge.ts'
import type { RetrievalReport } from '../src/retrieval/report.ts'
import { runBenchmark } from './support/run-benchmark.ts'

test('a run judges every way to search by what others found right, prints it as JSON and writes the table', async () => {
  await using folder = await createTemporaryDirectory()
  await mkdir(folder.file('data', 'small'), { recursive: true })
  const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const corpus = [
    { id: 'a', title: 'Zombies', text: 'Processes that ended and were never waited for stay as zombies.' },
    { id: 'b', title: '', text: 'A socket that is closed answers nobody.' },
    { id: 'c', title: '', text: 'Waiting for files takes its time.' },
  ]
  await writeFile(folder.file('data', 'small', 'corpus.jsonl'), lines(corpus))
  await writeFile(folder.file('data', 'small', 'queries.jsonl'), lines([{ id: 'q', text: 'zombie process waiting' }]))
  await writeFile(folder.file('data', 'small', 'qrels.json'), JSON.stringify({ q: { a: 1 } }))
  const args = ['--json', '--data', folder.file('data'), '--output', folder.path]
  const { code, stdout, stderr } = await runBenchmark('retrieval', ...args)
  expect(code, stderr).toBe(0)
  const { rows } = JSON.parse(stdout) as RetrievalReport
  expect(rows.map(({ method, ndcg }) => [method, ndcg])).toEqual([
    ['grep', 1],
    ['plain FTS5', 0],
    ['Switchboard', 1],
  ])
  expect(await readFile(folder.file('retrieval.md'), 'utf8')).toContain('| small ')
})

test('the measures are those that everybody publishes', () => {
  const quality = judge(['x', 'a', 'y', 'b'], { a: 1, b: 1, c: 1 })
  expect(quality.ndcg).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3) + 1 / 2), 10)
  expect(quality).toMatchObject({ recall: 2 / 3, mrr: 1 / 2 })
  expect(judge([], { a: 1 })).toEqual({ ndcg: 0, recall: 0, mrr: 0 })
})
