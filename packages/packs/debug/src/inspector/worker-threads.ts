/** Worker threads speak through the connection of the main thread. */
import type { InspectorClient } from './inspector-client.ts'
import type { MessagePipe } from './message-pipe.ts'

interface Listener {
  message: (text: string) => void
  close: (reason: string) => void
}

export class WorkerPipe implements MessagePipe {
  readonly #main: InspectorClient
  readonly #sessionId: string
  #listener: Listener | undefined

  constructor(main: InspectorClient, sessionId: string) {
    this.#main = main
    this.#sessionId = sessionId
  }

  listen(on: Listener): void {
    this.#listener = on
  }

  send(text: string): void {
    this.#main.notify('NodeWorker.sendMessageToWorker', { message: text, sessionId: this.#sessionId })
  }

  close(): void {}

  receive(text: string): void {
    this.#listener?.message(text)
  }

  end(reason: string): void {
    this.#listener?.close(reason)
  }
}

export interface WorkerEvents {
  /** It stands still until it is told to run. */
  attached(sessionId: string, pipe: WorkerPipe, name: string): void
  detached(sessionId: string): void
}

export function watchWorkers(main: InspectorClient, events: WorkerEvents): Promise<unknown> {
  const pipes = new Map<string, WorkerPipe>()
  main.on('NodeWorker.attachedToWorker', ({ sessionId, workerInfo }) => {
    const pipe = new WorkerPipe(main, sessionId)
    pipes.set(sessionId, pipe)
    events.attached(sessionId, pipe, workerInfo.title === '' ? `worker ${workerInfo.workerId}` : workerInfo.title)
  })
  main.on('NodeWorker.receivedMessageFromWorker', ({ sessionId, message }) => pipes.get(sessionId)?.receive(message))
  const end = (sessionId: string, reason: string): void => {
    const pipe = pipes.get(sessionId)
    if (!pipes.delete(sessionId)) return
    pipe?.end(reason)
    events.detached(sessionId)
  }
  main.on('NodeWorker.detachedFromWorker', ({ sessionId }) => end(sessionId, 'the worker thread ended'))
  main.onClose((reason) => {
    for (const sessionId of [...pipes.keys()]) end(sessionId, reason)
  })
  return main.request('NodeWorker.enable', { waitForDebuggerOnStart: true })
}
