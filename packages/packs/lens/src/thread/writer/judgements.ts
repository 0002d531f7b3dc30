/** Conflicts of playsets, found by a thread and kept by the writer, until one of the layers changes. */
import type { PlaysetDiagnostic } from '@switchboard/paradox/conflicts'
import { BulkInsert, type TablesDatabase } from '@switchboard/store/tables'
import type { ConflictRow, JudgedPlayset, Judgement, JudgeNews, JudgeReport } from '../../playset/judged.ts'
import type { IndexThreadStart } from '../messages.ts'
import { Helper } from './helpers.ts'

/** So many playsets are kept. */
const MAX_PLAYSETS = 10
/** Before the key of one that is being judged. */
const PENDING = 'pending '

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
    // Of a process that ended meanwhile.
    database.transaction(() => {
      const left = database.handle.prepare('SELECT key FROM kept_playsets WHERE key >= ? AND key < ?')
      for (const { key } of left.all(PENDING, `${PENDING}~`)) this.#drop(String(key))
    })
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
    const draft = PENDING + playset.key
    const id = this.#begin(draft)
    let count = 0
    const problems: PlaysetDiagnostic[] = []
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        this.#database.transaction(() => this.#drop(draft))
        reject(error)
      }
      const helper = new Helper<JudgedPlayset, JudgeNews>({ ...this.#start, role: 'judge' }, this.#program, {
        onNews: (news) => {
          try {
            if (news.type === 'judge_failed') throw new Error(news.reason)
            if (news.type === 'problems') problems.push(...news.problems)
            else if (news.type === 'conflicts') {
              this.#store(id, count, news.conflicts)
              count += news.conflicts.length
            } else {
              resolve(this.#finish(id, playset.key, generation, news.report, problems))
              end()
            }
          } catch (error) {
            // Such as a full disk.
            end()
            fail(error)
          }
        },
        onGone: (why) => {
          this.#helpers.delete(helper)
          fail(new Error(why))
        },
      })
      const end = (): void => {
        this.#helpers.delete(helper)
        void helper.end()
      }
      this.#helpers.add(helper)
      helper.tell(playset)
    })
  }

  /** Under a name of its own until it is whole: what was judged before is still there to be read. */
  #begin(draft: string): number {
    return this.#database.transaction(() => {
      this.#drop(draft)
      const row = this.#database
        .statement("INSERT INTO kept_playsets (key, generation, judged_at, report) VALUES (?, 0, ?, '') RETURNING id")
        .get(draft, Date.now())
      return Number(row?.id)
    })
  }

  #store(id: number, first: number, conflicts: readonly ConflictRow[]): void {
    this.#database.transaction(() => {
      const columns = ['class', 'kind', 'name', 'folder', 'mods', 'harm', 'intended', 'confidence', 'data']
      const rows = new BulkInsert(this.#database, 'kept_conflicts', ['playset', 'ordinal', ...columns])
      conflicts.forEach(({ class: type, kind, name, folder, mods, harm, intended, confidence, data }, at) => {
        rows.add(id, first + at, type, kind, name, folder, mods, harm, intended ? 1 : 0, confidence, data)
      })
      rows.flush()
    })
  }

  #finish(
    id: number,
    key: string,
    generation: number,
    report: JudgeReport,
    problems: readonly PlaysetDiagnostic[],
  ): Judgement {
    return this.#database.transaction(() => {
      this.#drop(key)
      this.#database.execute(
        'UPDATE kept_playsets SET key = ?, generation = ?, judged_at = ?, report = ? WHERE id = ?',
        ...[key, generation, Date.now(), JSON.stringify(report), id],
      )
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
