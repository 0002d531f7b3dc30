/** Files a second, in as many threads, as the lens has them: each with an extractor of its own. */
import { Worker } from 'node:worker_threads'

export interface SymbolRate {
  readonly threads: number
  readonly files: number
  readonly megabytes: number
  readonly seconds: number
  /** Of all threads: what it takes, whatever else the machine does. */
  readonly processorSeconds: number
  readonly symbols: number
  readonly references: number
}

/** What one thread has done. */
export interface ThreadWork {
  readonly bytes: number
  readonly symbols: number
  readonly references: number
}

export async function measureRate(files: readonly string[], threads: number): Promise<SymbolRate> {
  const begun = performance.now()
  const before = process.cpuUsage()
  const works = await Promise.all(
    Array.from({ length: threads }, (_, thread) => work(files.filter((_file, index) => index % threads === thread))),
  )
  const seconds = (performance.now() - begun) / 1_000
  const { user, system } = process.cpuUsage(before)
  const sum = (read: (work: ThreadWork) => number): number => works.reduce((total, one) => total + read(one), 0)
  return {
    threads,
    files: files.length,
    megabytes: sum(({ bytes }) => bytes) / 1e6,
    seconds,
    processorSeconds: (user + system) / 1e6,
    symbols: sum(({ symbols }) => symbols),
    references: sum(({ references }) => references),
  }
}

function work(files: readonly string[]): Promise<ThreadWork> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./rate-thread.ts', import.meta.url), {
      workerData: files,
      execArgv: ['--conditions=switchboard-source', '--disable-warning=ExperimentalWarning'],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
