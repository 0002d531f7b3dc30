/** Finds the conflicts of a playset, and what only the whole of it shows. Runs in a thread of its own, for one playset. */
import { posix } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { errorMessage, readForeignText } from '@switchboard/base'
import {
  type Conflict,
  compareHarm,
  compareWithEngine,
  type DiagnosticsReport,
  EngineVerdicts,
  eachConflict,
  findDiagnostics,
  harmOf,
} from '@switchboard/paradox/conflicts'
import type { TablesDatabase } from '@switchboard/store/tables'
import type { ConflictRow, JudgedPlayset, JudgeNews, JudgeReport } from '../../playset/judged.ts'
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
    const summary = new Summary()
    const told: Conflict[] = []
    let rows: ConflictRow[] = []
    for (const conflict of eachConflict(index, engine === undefined ? {} : { engine })) {
      summary.add(conflict)
      if (isDiagnosed(conflict)) told.push(conflict)
      rows.push(toRow(conflict, playset))
      if (rows.length < BATCH) continue
      tell({ type: 'conflicts', conflicts: rows })
      rows = []
    }
    if (rows.length > 0) tell({ type: 'conflicts', conflicts: rows })
    const found = findDiagnostics(index, told.sort(compareHarm))
    for (let at = 0; at < found.diagnostics.length; at += BATCH) {
      tell({ type: 'problems', problems: found.diagnostics.slice(at, at + BATCH) })
    }
    const agreement = engine === undefined ? undefined : countAgreement(index, engine)
    tell({
      type: 'judged',
      report: { ...summary.toReport(found), ...(agreement === undefined ? {} : { agreement }) },
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

/** What a diagnostic is made of; of all others no more is held than their number. */
function isDiagnosed({ class: type, lostKeys = [] }: Conflict): boolean {
  return type === 'duplicate_forbidden' || (type === 'file_shadow' && lostKeys.length > 0)
}

function toRow(conflict: Conflict, { layers }: JudgedPlayset): ConflictRow {
  const { class: type, kind, name, effective, losers, intended, confidence } = conflict
  const places = effective === undefined ? losers : [effective, ...losers]
  return {
    ...{ class: type, kind, name, intended, confidence },
    folder: posix.dirname(places[0]?.path ?? ''),
    mods: [...new Set(places.map(({ layer }) => layers[layer]?.name ?? '?'))].join('\n'),
    harm: harmOf(conflict),
    data: JSON.stringify(conflict),
  }
}

class Summary {
  readonly #classes = new Map<string, { count: number; open: number }>()
  #conflicts = 0
  #lostKeys = 0

  add({ class: type, intended, lostKeys = [] }: Conflict): void {
    const counted = this.#classes.get(type) ?? { count: 0, open: 0 }
    this.#classes.set(type, { count: counted.count + 1, open: counted.open + (intended ? 0 : 1) })
    this.#conflicts++
    if (!intended) this.#lostKeys += lostKeys.length
  }

  toReport({ diagnostics, completeness, notJudged }: DiagnosticsReport): JudgeReport {
    return {
      conflicts: this.#conflicts,
      problems: diagnostics.length,
      classes: [...this.#classes]
        .map(([type, counts]) => ({ class: type, ...counts }))
        .sort((a, b) => b.open - a.open || (a.class < b.class ? -1 : 1)),
      lostKeys: this.#lostKeys,
      completeness,
      notJudged,
    }
  }
}
