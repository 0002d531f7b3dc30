import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { TablesDatabase } from '@switchboard/store/tables'
import { expect, it } from 'vitest'
import { VERSIONS } from '../../src/tables/versions.ts'
import type { ParsedBatch, ParseOrder } from '../../src/thread/messages.ts'
import { ParserProgram } from '../../src/thread/parser/parser.ts'
import { useLens } from '../helpers/lens.ts'

const bench = useLens()

it('reads what is urgent before all that waits, and the rest in its order', async () => {
  const folder = await bench.folder({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
  const { database } = TablesDatabase.open({
    file: join(await bench.place(), 'index.db'),
    role: 'writer',
    versions: VERSIONS,
  })
  const { port1, port2 } = new MessageChannel()
  const heard: ParsedBatch[] = []
  const all = new Promise<void>((resolve) => {
    port2.on('message', (batch: ParsedBatch) => {
      if (heard.push(batch) === 4) resolve()
    })
  })
  const parser = new ParserProgram(port1, database)
  const root = { id: 1, path: folder, exclude: [] }
  const order = (batch: number, isUrgent: boolean): ParseOrder => ({
    ...{ type: 'parse', batch, isUrgent, maxFileSize: 1_000 },
    files: [
      { item: batch, root, path: 'a.txt' },
      { item: batch, root, path: batch === 3 ? 'gone.txt' : 'b.txt' },
    ],
  })
  // The first is begun at once; while it is read, the others come.
  for (const [batch, isUrgent] of [
    [1, false],
    [2, false],
    [3, false],
    [4, true],
  ] as const) {
    void parser.receive(order(batch, isUrgent))
  }
  await all
  port2.close()
  database.close()
  expect(heard.map(({ batch, isUrgent }) => [batch, isUrgent])).toEqual([
    [1, false],
    [4, true],
    [2, false],
    [3, false],
  ])
  expect(heard.map(({ files }) => files.map(({ kind }) => kind))).toEqual([
    ['read', 'read'],
    ['read', 'read'],
    ['read', 'read'],
    ['read', 'gone'],
  ])
})
