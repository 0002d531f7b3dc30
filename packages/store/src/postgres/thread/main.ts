/** The program of the thread that talks to a PostgreSQL: the caller's own thread cuts up no text and puts nothing in order. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadAnswer, ThreadRequest } from '../../thread/messages.ts'
import { describeAddress } from '../address.ts'
import { toFailure } from './failure.ts'
import { type PostgresThreadStart, Server } from './server.ts'

const port = parentPort
if (port !== null) {
  // Given by the store that starts this thread.
  const options = workerData as PostgresThreadStart
  const server = new Server(options)
  const underWay = new Set<Promise<void>>()
  const answer = async ({ id, name, input }: ThreadRequest): Promise<void> => {
    // Name and input were checked where the request was made.
    const operation = server.operations[name as keyof typeof server.operations] as (
      ...input: readonly unknown[]
    ) => Promise<unknown>
    try {
      port.postMessage({ id, result: await operation(...input) } satisfies ThreadAnswer)
    } catch (error) {
      port.postMessage(toFailure(error, describeAddress(options.address)).toAnswer(id))
    }
  }
  port.on('message', async (request: ThreadRequest) => {
    if (request.name === 'end') {
      // A connection that somebody still opens would keep the thread for ever.
      server.beginClosing()
      await Promise.all(underWay)
    }
    const answered = answer(request)
    underWay.add(answered)
    await answered
    underWay.delete(answered)
    if (request.name === 'end') port.close()
  })
}
