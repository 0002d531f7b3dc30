import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { findPostgres } from '@switchboard/testkit/postgres'
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
    ...(findPostgres() === undefined ? [] : [['Switchboard, PostgreSQL', 1]]),
  ])
  expect(await readFile(folder.file('retrieval.md'), 'utf8')).toContain('| small ')
})

test('with an encoder in the environment words and meaning are judged together', async () => {
  await using folder = await createTemporaryDirectory()
  await mkdir(folder.file('data', 'small'), { recursive: true })
  const texts = ['fruit that is ripe', 'stones of a wall']
  await writeFile(
    folder.file('data', 'small', 'corpus.jsonl'),
    texts.map((text, id) => `${JSON.stringify({ id: String(id), title: '', text })}\n`).join(''),
  )
  await writeFile(folder.file('data', 'small', 'queries.jsonl'), `${JSON.stringify({ id: 'q', text: 'apples' })}\n`)
  await writeFile(folder.file('data', 'small', 'qrels.json'), JSON.stringify({ q: { 0: 1 } }))
  const isFood = (text: string): boolean => /fruit|apple/.test(text)
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { input } = JSON.parse(body) as { input: string[] }
    const data = input.map((text, index) => ({ index, embedding: isFood(text) ? [1, 0] : [0, 1] }))
    response.end(JSON.stringify({ data }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    process.env.BENCH_ENCODER_URL = `http://127.0.0.1:${port}/v1/embeddings`
    const { code, stdout, stderr } = await runBenchmark(
      'retrieval',
      '--json',
      '--data',
      folder.file('data'),
      '--output',
      folder.path,
    )
    expect(code, stderr).toBe(0)
    const { rows } = JSON.parse(stdout) as RetrievalReport
    expect(rows.find(({ method }) => method === 'Switchboard')).toMatchObject({ ndcg: 0 })
    expect(rows.find(({ method }) => method === 'Switchboard, hybrid')).toMatchObject({ ndcg: 1 })
  } finally {
    delete process.env.BENCH_ENCODER_URL
    server.close()
  }
})

test('the measures are those that everybody publishes', () => {
  const quality = judge(['x', 'a', 'y', 'b'], { a: 1, b: 1, c: 1 })
  expect(quality.ndcg).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3) + 1 / 2), 10)
  expect(quality).toMatchObject({ recall: 2 / 3, mrr: 1 / 2 })
  expect(judge([], { a: 1 })).toEqual({ ndcg: 0, recall: 0, mrr: 0 })
})
