/** What it takes to make something of files, in threads that do nothing else; their start is not counted. */
import { Worker } from 'node:worker_threads'

/** read: nothing but that, the least that there is. parse: the tree of script. extract: symbols and references. */
export type ReadKind = 'read' | 'parse' | 'extract'

export interface ReadTask {
  readonly files: readonly string[]
  readonly work: ReadKind
}

export interface ReadWork {
  readonly bytes: number
  readonly found: number
  readonly ms: number
}

export interface Reading {
  readonly work: string
  readonly threads: number
  readonly files: number
  readonly megabytes: number
  readonly seconds: number
  /** Symbols, or problems. */
  readonly found: number
}

export async function measureReading(files: readonly string[], work: ReadKind, threads: number): Promise<Reading> {
  const works = await Promise.all(
    Array.from({ length: threads }, (_, thread) =>
      runThread({ files: files.filter((_file, index) => index % threads === thread), work }),
    ),
  )
  return {
    work,
    threads,
    files: files.length,
    megabytes: works.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
    seconds: Math.max(...works.map(({ ms }) => ms)) / 1_000,
    found: works.reduce((sum, { found }) => sum + found, 0),
  }
}

function runThread(task: ReadTask): Promise<ReadWork> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./read-thread.ts', import.meta.url), {
      workerData: task,
      execArgv: ['--conditions=switchboard-source', '--disable-warning=ExperimentalWarning'],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
