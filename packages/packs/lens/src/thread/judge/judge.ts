/** Finds the conflicts of a playset, and what only the whole of it shows. Runs in a thread of its own, for one playset. */
import type { MessagePort } from 'node:worker_threads'
import { errorMessage, readForeignText } from '@switchboard/base'
import {
  type Conflict,
  compareWithEngine,
  type DiagnosticsReport,
  EngineVerdicts,
  findConflicts,
  findDiagnostics,
} from '@switchboard/paradox/conflicts'
import type { TablesDatabase } from '@switchboard/store/tables'
import type { JudgedPlayset, JudgeNews, JudgeReport } from '../../playset/judged.ts'
import { SqlPlaysetIndex } from './sql-playset-index.ts'

const BATCH = 500
const MAX_LOG = 200_000_000

export function judge(port: MessagePort, database: TablesDatabase, playset: JudgedPlayset): void {
  const tell = (news: JudgeNews): void => port.postMessage(news)
  try {
    // Of one moment, however long it takes.
    database.handle.exec('BEGIN')
    const index = new SqlPlaysetIndex(database, playset.layers, playset.parts)
    const engine = readVerdicts(playset.engineLog)
    const conflicts = findConflicts(index, engine === undefined ? {} : { engine })
    for (let at = 0; at < conflicts.length; at += BATCH) {
      tell({ type: 'conflicts', conflicts: conflicts.slice(at, at + BATCH) })
    }
    const found = findDiagnostics(index, conflicts)
    for (let at = 0; at < found.diagnostics.length; at += BATCH) {
      tell({ type: 'problems', problems: found.diagnostics.slice(at, at + BATCH) })
    }
    const agreement = engine === undefined ? undefined : countAgreement(index, engine)
    tell({
      type: 'judged',
      report: { ...summarize(conflicts, found), ...(agreement === undefined ? {} : { agreement }) },
    })
  } catch (error) {
    tell({ type: 'judge_failed', reason: errorMessage(error) })
  }
}

function readVerdicts(log: string | undefined): EngineVerdicts | undefined {
  if (log === undefined) return undefined
  return new EngineVerdicts(readForeignText(log, { maxBytes: MAX_LOG }))
}

function countAgreement(index: SqlPlaysetIndex, engine: EngineVerdicts): JudgeReport['agreement'] {
  const verdicts = compareWithEngine(index, engine)
  const count = (wanted: string): number => verdicts.filter(({ verdict }) => verdict === wanted).length
  return { agree: count('agree'), differs: count('engine-differs'), unknown: count('unknown') }
}

function summarize(
  conflicts: readonly Conflict[],
  { diagnostics, completeness, notJudged }: DiagnosticsReport,
): JudgeReport {
  const classes = new Map<string, { count: number; open: number }>()
  for (const { class: type, intended } of conflicts) {
    const counted = classes.get(type) ?? { count: 0, open: 0 }
    classes.set(type, { count: counted.count + 1, open: counted.open + (intended ? 0 : 1) })
  }
  return {
    conflicts: conflicts.length,
    problems: diagnostics.length,
    classes: [...classes].map(([type, counts]) => ({ class: type, ...counts })).sort((a, b) => b.open - a.open),
    lostKeys: conflicts.reduce((sum, { intended, lostKeys = [] }) => sum + (intended ? 0 : lostKeys.length), 0),
    completeness,
    notJudged,
  }
}
