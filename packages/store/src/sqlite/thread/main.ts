/** The program of the store's threads: of the one that writes, and of those that read. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { ThreadRequest } from '../../thread/messages.ts'
import { failureOf } from './failure.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

/** What the store tells a thread as it starts it. */
export interface ThreadStart {
  readonly file: string
  readonly role: 'writer' | 'reader'
}

interface Hand {
  receive(request: ThreadRequest): void | Promise<void>
}

const port = parentPort
if (port !== null) {
  // Given by the store that starts this thread.
  const { file, role } = workerData as ThreadStart
  const hand = open(port, () => (role === 'writer' ? new Writer(file, port) : new Reader(file, port)))
  let last = Promise.resolve()
  port.on('message', (request: ThreadRequest) => {
    last = last.then(() => hand.receive(request))
  })
}

/** A file that cannot be opened is told to everybody who asks. */
function open(answers: MessagePort, create: () => Hand): Hand {
  try {
    return create()
  } catch (error) {
    return {
      receive({ id, name }) {
        answers.postMessage(name === 'end' ? { id, result: undefined } : failureOf(id, error))
        if (name === 'end') answers.close()
      },
    }
  }
}
