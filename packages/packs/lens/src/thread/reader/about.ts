/** What every answer says of itself: of which moment of the index it is, and what is missing in it. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { stampOf } from '@switchboard/source'
import type { TablesDatabase } from '@switchboard/store/tables'
import type { Scope } from '../../scope.ts'

export interface About {
  readonly generation: number
  /** complete: all of it was looked at and nothing waits. partial: a root has more files than are allowed. */
  readonly completeness: 'complete' | 'building' | 'partial' | 'never_built'
  /** Files that wait to be read. */
  readonly waiting: number
  /** Files that could not be read, after three tries. */
  readonly failed: number
}

export function readAbout(database: TablesDatabase, scope: Scope): About {
  const roots = [...new Set(scope.map(({ root }) => root))]
  const generation = Number(
    database.statement("SELECT value FROM kept_state WHERE key = 'generation'").get()?.value ?? 0,
  )
  const among = roots.join(',')
  const states = database.handle
    .prepare(`SELECT state FROM kept_roots WHERE id IN (${among})`)
    .all()
    .map(({ state }) => String(state))
  const counts = new Map(
    database.handle
      .prepare(`SELECT state, count(*) AS count FROM kept_queue WHERE root IN (${among}) GROUP BY state`)
      .all()
      .map(({ state, count }) => [String(state), Number(count)]),
  )
  const waiting = (counts.get('pending') ?? 0) + (counts.get('leased') ?? 0)
  return { generation, completeness: judge(states, waiting), waiting, failed: counts.get('failed') ?? 0 }
}

function judge(states: readonly string[], waiting: number): About['completeness'] {
  if (states.length === 0 || (states.every((state) => state === 'never') && waiting === 0)) return 'never_built'
  if (waiting > 0 || states.includes('never')) return 'building'
  return states.includes('partial') ? 'partial' : 'complete'
}

/** Whether a file is still as it was read. */
export function isStale(rootPath: string, path: string, stamp: string): boolean {
  try {
    return stampOf(lstatSync(join(rootPath, path), { bigint: true })) !== stamp
  } catch {
    return true
  }
}
