/** The program of the store's threads: of the one that writes, and of those that read. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadRequest, ThreadStart } from './messages.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

const port = parentPort
if (port !== null) {
  // Given by the store that starts this thread.
  const { file, role } = workerData as ThreadStart
  const hand = role === 'writer' ? new Writer(file, port) : new Reader(file, port)
  let last = Promise.resolve()
  port.on('message', (request: ThreadRequest) => {
    last = last.then(() => hand.receive(request))
  })
}
