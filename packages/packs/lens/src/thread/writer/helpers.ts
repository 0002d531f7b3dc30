/** The threads that the writer gives work to: each one again when it died, and told when it takes too long. */
import { Worker } from 'node:worker_threads'
import { errorMessage } from '@switchboard/base'
import { type IndexThreadStart, YOUNG_MB } from '../messages.ts'

export interface HelperHooks<News> {
  onNews(news: News): void
  /** What it had in its hands is lost. */
  onGone(why: string): void
}

export class Helper<Order, News> {
  readonly #worker: Worker
  #isOver = false

  constructor(start: IndexThreadStart, program: URL, { onNews, onGone }: HelperHooks<News>) {
    this.#worker = new Worker(program, {
      workerData: start,
      execArgv: program.pathname.endsWith('.ts') ? ['--conditions=switchboard-source'] : [],
      env: {},
      name: `lens ${start.role}`,
      // Whatever a file holds: this thread fails then, and not the daemon.
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    const end = (why: string): void => {
      if (this.#isOver) return
      this.#isOver = true
      onGone(why)
    }
    this.#worker.on('message', (news: News) => {
      if (!this.#isOver) onNews(news)
    })
    this.#worker.once('error', (error) => end(errorMessage(error)))
    this.#worker.once('exit', () => end('its thread ended'))
  }

  tell(order: Order): void {
    this.#worker.postMessage(order)
  }

  /** `why`: then whoever waits for it is told. */
  async end(why?: string): Promise<void> {
    if (why === undefined) this.#isOver = true
    await this.#worker.terminate()
  }
}
