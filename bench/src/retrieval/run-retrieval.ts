/** The benchmark `retrieval`: how well the store finds what people looked for, beside grep and a database by itself. */
import { fileURLToPath } from 'node:url'
import { describeLoad, describeMachine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { readCollections, type TestCollection } from './collections.ts'
import { judge, meanQuality, type Quality } from './judge.ts'
import { listMethods, type Method } from './methods.ts'
import type { RetrievalReport, RetrievalRow } from './report.ts'
import { judgeTargets } from './targets.ts'

export interface RetrievalOptions {
  /** Questions of each collection; quick: a few. */
  readonly quick: boolean
  /** A folder of collections. Default: that beside the project. */
  readonly data?: string | undefined
  say(line: string): void
}

const DATA = fileURLToPath(new URL('../../../../shared/data/retrieval', import.meta.url))
const QUICK_QUESTIONS = 5

export async function runRetrieval({ quick, data = DATA, say }: RetrievalOptions): Promise<RetrievalReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  const rows: RetrievalRow[] = []
  for (const collection of await readCollections(data)) {
    const questions = quick ? collection.questions.slice(0, QUICK_QUESTIONS) : collection.questions
    for (const method of listMethods()) {
      say(`${collection.name}: ${method.name}`)
      rows.push(await measure({ ...collection, questions }, method))
    }
  }
  return { machine, loadBefore, loadAfter: describeLoad(), quick, rows, targets: judgeTargets(rows) }
}

async function measure({ name, documents, questions }: TestCollection, method: Method): Promise<RetrievalRow> {
  const searching = await method.load(documents)
  try {
    const qualities: Quality[] = []
    const times: number[] = []
    for (const { text, grades } of questions) {
      const begun = performance.now()
      const ranked = await searching.search(text)
      times.push(performance.now() - begun)
      qualities.push(judge(ranked, grades))
    }
    return {
      collection: name,
      documents: documents.length,
      questions: questions.length,
      method: method.name,
      ...meanQuality(qualities),
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
    }
  } finally {
    await searching.close()
  }
}
