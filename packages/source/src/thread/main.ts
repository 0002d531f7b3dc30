/** The program of a source thread. Its owner gives it one task after the other; it never does anything by itself. */
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { errorMessage } from '@switchboard/base'
import { giveWay } from './give-way.ts'
import type { KnownFile, ScanTask, SourceNews, SourceOrder, SourceStart } from './messages.ts'
import { Scan } from './scan.ts'

/**
 * So many batches wait to be taken. On two cores none is made while the one before is stored: both at once would leave no core to
 * those who are served meanwhile.
 */
const MAX_WAITING = availableParallelism() > 2 ? 3 : 1

class SourceProgram {
  readonly #port: MessagePort
  readonly #stop: Int32Array
  #task: ScanTask | undefined
  #known = new Map<string, KnownFile>()
  #waiting = 0
  #taken: (() => void) | undefined

  constructor(port: MessagePort, { stop }: SourceStart) {
    this.#port = port
    this.#stop = new Int32Array(stop)
  }

  receive(order: SourceOrder): void {
    if (order.type === 'scan') {
      this.#task = order.task
      this.#known = new Map()
    } else if (order.type === 'known') {
      for (const file of order.files) this.#known.set(file.path, file)
    } else if (order.type === 'taken') {
      this.#waiting--
      this.#taken?.()
    } else if (this.#task !== undefined) void this.#scan(this.#task)
  }

  async #scan(task: ScanTask): Promise<void> {
    try {
      const scan = new Scan(task, this.#known, {
        isStopped: () => Atomics.load(this.#stop, 0) !== 0,
        pause: () => nextTurn(),
        hand: async (batch) => {
          this.#tell({ type: 'batch', batch })
          this.#waiting++
          while (this.#waiting >= MAX_WAITING && Atomics.load(this.#stop, 0) === 0) {
            await new Promise<void>((resolve) => {
              this.#taken = resolve
            })
          }
        },
      })
      this.#tell({ type: 'done', outcome: await scan.run() })
    } catch (error) {
      this.#tell({ type: 'failed', message: errorMessage(error) })
    }
  }

  #tell(news: SourceNews): void {
    this.#port.postMessage(news)
  }
}

const port = parentPort
if (port !== null) {
  giveWay()
  // Given by the owner that starts this thread.
  const program = new SourceProgram(port, workerData as SourceStart)
  port.on('message', (order: SourceOrder) => program.receive(order))
}
