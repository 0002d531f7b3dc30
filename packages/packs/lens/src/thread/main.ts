/** The program of the threads of the index: of the one that writes, of those that read, of scout, parsers and judge. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '@switchboard/source/walk'
import { failureOf, TablesDatabase, TablesLock, type ThreadRequest } from '@switchboard/store/tables'
import type { JudgedPlayset } from '../playset/judged.ts'
import { VERSIONS } from '../tables/versions.ts'
import { judge } from './judge/judge.ts'
import type { IndexThreadStart, ParseOrder, ScoutOrder } from './messages.ts'
import { ParserProgram } from './parser/parser.ts'
import { createReads } from './reader/reads.ts'
import { ScoutProgram } from './scout/scout.ts'
import { IndexWriter } from './writer/writer.ts'

type Operation = (...input: unknown[]) => unknown

function openReader(file: string): TablesDatabase {
  return TablesDatabase.open({ file, role: 'reader', versions: VERSIONS }).database
}

/** Whatever is thrown is told to whoever asked. */
function serve(port: MessagePort, operations: object, end: () => void | Promise<void>): void {
  port.on('message', async ({ id, name, input }: ThreadRequest) => {
    try {
      // Name and input were checked where the request was made.
      const operation = operations[name as never] as Operation
      const result = name === 'end' ? await end() : await operation(...input)
      port.postMessage({ id, result })
    } catch (error) {
      port.postMessage(failureOf(id, error))
    }
    if (name === 'end') port.close()
  })
}

function startWriter(port: MessagePort, start: IndexThreadStart): void {
  const lock = TablesLock.take(`${start.file}.lock`)
  if (lock === undefined) throw Object.assign(new Error('another process keeps this index'), { errcode: 5 })
  const { database } = TablesDatabase.open({ file: start.file, role: 'writer', versions: VERSIONS })
  const writer = new IndexWriter(database, start, new URL(import.meta.url), (news) => port.postMessage({ news }))
  serve(port, writer.operations, async () => {
    await writer.close()
    database.handle.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    lock.release()
  })
}

/** What cannot be opened is told to everybody who asks. */
function startOrTell(port: MessagePort, start: () => void): void {
  try {
    start()
  } catch (error) {
    port.on('message', ({ id, name }: ThreadRequest) => {
      port.postMessage(name === 'end' ? { id, result: undefined } : failureOf(id, error))
      if (name === 'end') port.close()
    })
  }
}

const port = parentPort
if (port !== null) {
  // Given by whoever starts this thread.
  const start = workerData as IndexThreadStart
  const { role, file } = start
  if (role !== 'reader') giveWay()
  if (role === 'writer') startOrTell(port, () => startWriter(port, start))
  else if (role === 'reader') {
    startOrTell(port, () => {
      const database = openReader(file)
      serve(port, createReads(database, start.limits), () => database.close())
    })
  } else if (role === 'judge') {
    port.on('message', (playset: JudgedPlayset) => judge(port, openReader(file), playset))
  } else if (role === 'scout') {
    const scout = new ScoutProgram(port, openReader(file))
    port.on('message', (order: ScoutOrder) => void scout.receive(order))
  } else {
    const parser = new ParserProgram(port, openReader(file))
    port.on('message', (order: ParseOrder) => void parser.receive(order))
  }
}
