/**
 * What the game itself says: on each launch `database_conflicts.log` names every override that it made. The last line of a key
 * is the one that won.
 *
 *     [18:43:12][W][gamedatabase.h:321]: Overriding entry 'x' for database 'common/y' in 'file: common/y/z.txt line: 1'
 */
import { gamePathOf } from '../extract/folders.ts'

export interface EnginePlace {
  readonly path: string
  readonly line: number
}

const PATTERN = /Overriding entry '([^']*)' for database '([^']*)' in 'file: ([^']*?) line: (\d+)/

export class EngineVerdicts {
  readonly #winners = new Map<string, EnginePlace>()
  /** Lines of the log that say something else. */
  readonly unread: number

  constructor(log: string) {
    let unread = 0
    for (const line of log.split('\n')) {
      if (line.trim() === '') continue
      const [, name, database, path, number] = PATTERN.exec(line) ?? []
      if (name === undefined || database === undefined || path === undefined) unread++
      else this.#winners.set(keyOf(database, name), { path: gamePathOf(path), line: Number(number) })
    }
    this.unread = unread
  }

  get size(): number {
    return this.#winners.size
  }

  /** `folder` is the database as the table of folders has it. */
  winnerOf(folder: string, name: string): EnginePlace | undefined {
    return this.#winners.get(keyOf(folder, name))
  }

  *entries(): Iterable<{ readonly database: string; readonly name: string } & EnginePlace> {
    for (const [key, place] of this.#winners) {
      const at = key.indexOf('\n')
      yield { database: key.slice(0, at), name: key.slice(at + 1), ...place }
    }
  }
}

function keyOf(database: string, name: string): string {
  return `${database.replaceAll('\\', '/').replace(/\/$/, '')}\n${name}`
}
