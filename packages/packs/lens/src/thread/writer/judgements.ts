/** Conflicts of playsets, found by a thread and kept by the writer, until one of the layers changes. */
import { posix } from 'node:path'
import { type Conflict, harmOf, type PlaysetDiagnostic } from '@switchboard/paradox/conflicts'
import { BulkInsert, type TablesDatabase } from '@switchboard/store/tables'
import type { JudgedPlayset, JudgeNews, JudgeReport } from '../../playset/judged.ts'
import type { IndexThreadStart } from '../messages.ts'
import { Helper } from './helpers.ts'

/** So many playsets are kept. */
const MAX_PLAYSETS = 10

export interface Judgement {
  /** In the tables. */
  readonly id: number
  readonly generation: number
  readonly report: JudgeReport
}

export class Judgements {
  readonly #database: TablesDatabase
  readonly #start: IndexThreadStart
  readonly #program: URL
  readonly #running = new Map<string, Promise<Judgement>>()
  readonly #helpers = new Set<Helper<JudgedPlayset, JudgeNews>>()

  constructor(database: TablesDatabase, start: IndexThreadStart, program: URL) {
    this.#database = database
    this.#start = start
    this.#program = program
  }

  /** As it is kept, or found anew where a layer has changed since. */
  judge(playset: JudgedPlayset): Promise<Judgement> {
    const generation = this.#generationOf(playset)
    const kept = this.#read(playset.key)
    if (kept !== undefined && kept.generation === generation) return Promise.resolve(kept)
    const known = this.#running.get(playset.key)
    if (known !== undefined) return known
    const judged = this.#judge(playset, generation).finally(() => this.#running.delete(playset.key))
    this.#running.set(playset.key, judged)
    return judged
  }

  async close(): Promise<void> {
    await Promise.all([...this.#helpers].map((helper) => helper.end()))
  }

  #judge(playset: JudgedPlayset, generation: number): Promise<Judgement> {
    const conflicts: Conflict[] = []
    const problems: PlaysetDiagnostic[] = []
    return new Promise((resolve, reject) => {
      const helper = new Helper<JudgedPlayset, JudgeNews>({ ...this.#start, role: 'judge' }, this.#program, {
        onNews: (news) => {
          if (news.type === 'conflicts') conflicts.push(...news.conflicts)
          else if (news.type === 'problems') problems.push(...news.problems)
          else {
            this.#helpers.delete(helper)
            void helper.end()
            if (news.type === 'judge_failed') reject(new Error(news.reason))
            else resolve(this.#store(playset, generation, news.report, conflicts, problems))
          }
        },
        onGone: (why) => reject(new Error(why)),
      })
      this.#helpers.add(helper)
      helper.tell(playset)
    })
  }

  #store(
    { key, layers }: JudgedPlayset,
    generation: number,
    report: JudgeReport,
    conflicts: readonly Conflict[],
    problems: readonly PlaysetDiagnostic[],
  ): Judgement {
    return this.#database.transaction(() => {
      this.#drop(key)
      const row = this.#database
        .statement('INSERT INTO kept_playsets (key, generation, judged_at, report) VALUES (?, ?, ?, ?) RETURNING id')
        .get(key, generation, Date.now(), JSON.stringify(report))
      const id = Number(row?.id)
      const nameOf = (layer: number): string => layers[layer]?.name ?? '?'
      const columns = ['class', 'kind', 'name', 'folder', 'mods', 'harm', 'intended', 'confidence', 'data']
      const rows = new BulkInsert(this.#database, 'kept_conflicts', ['playset', 'ordinal', ...columns])
      conflicts.forEach((conflict, ordinal) => {
        const { class: type, kind, name, effective, losers, intended, confidence } = conflict
        const places = effective === undefined ? losers : [effective, ...losers]
        const mods = [...new Set(places.map(({ layer }) => nameOf(layer)))].join('\n')
        const folder = posix.dirname(places[0]?.path ?? '')
        rows.add(
          ...[id, ordinal, type, kind, name, folder, mods, harmOf(conflict), intended ? 1 : 0, confidence],
          JSON.stringify(conflict),
        )
      })
      rows.flush()
      const found = new BulkInsert(this.#database, 'kept_playset_problems', [
        ...['playset', 'ordinal', 'code', 'severity', 'layer', 'path', 'line', 'message', 'hint'],
      ])
      problems.forEach(({ code, severity, layer, path, line, message, hint }, ordinal) => {
        found.add(id, ordinal, code, severity, layer, path, line, message, hint)
      })
      found.flush()
      return { id, generation, report }
    })
  }

  #drop(key: string): void {
    const old = this.#database
      .statement(
        'SELECT id FROM kept_playsets WHERE key = ? OR id NOT IN (SELECT id FROM kept_playsets ORDER BY judged_at DESC LIMIT ?)',
      )
      .all(key, MAX_PLAYSETS - 1)
    for (const { id } of old) {
      for (const table of ['kept_conflicts', 'kept_playset_problems']) {
        this.#database.execute(`DELETE FROM ${table} WHERE playset = ?`, Number(id))
      }
      this.#database.execute('DELETE FROM kept_playsets WHERE id = ?', Number(id))
    }
  }

  #read(key: string): Judgement | undefined {
    const row = this.#database.statement('SELECT id, generation, report FROM kept_playsets WHERE key = ?').get(key)
    if (row === undefined) return undefined
    // Written by us.
    const report = JSON.parse(String(row.report)) as JudgeReport
    return { id: Number(row.id), generation: Number(row.generation), report }
  }

  #generationOf({ parts }: JudgedPlayset): number {
    const among = [...new Set(parts.map(({ root }) => root))].map(Number).join(',')
    const row = this.#database.handle
      .prepare(`SELECT max(generation) AS generation FROM kept_roots WHERE id IN (${among})`)
      .get()
    return Number(row?.generation ?? 0)
  }
}
