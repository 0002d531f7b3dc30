/**
 * Writes to one space, one group after the other: what waits while a group is committed becomes the next one.
 *
 * 1. Writes are done in the order in which they came; of several daemons one writes to a space at a time.
 * 2. A write is acknowledged when the server has committed it.
 * 3. A group is done once, however often it is sent: it leaves a mark, and who lost the connection looks for it under the lock of
 *    the space, where whoever might still be committing it has ended.
 * 4. Where that cannot be found out in time, the write is told as uncertain; in all other failures nothing was stored.
 * 5. One that fails takes no other with it.
 */
import { randomUUID } from 'node:crypto'
import { errorMessage } from '@switchboard/base'
import type { NewVector } from '../../store.ts'
import { ThreadFailure } from '../../thread/failure.ts'
import type { Connections } from './connections.ts'
import { isPassing, lost } from './failure.ts'
import { throwOnNewer } from './schema.ts'
import type { ServerConnection } from './server-connection.ts'
import { keepVectorsOf, putVectors } from './vectors.ts'
import { type ItemWrite, writeItems } from './write-items.ts'

export type SpaceWrite =
  | ItemWrite
  | { readonly name: 'putVectors'; readonly model: string; readonly vectors: readonly NewVector[] }
  | { readonly name: 'keepVectorsOf'; readonly models: readonly string[] }

type Answer = number | boolean | null

interface Waiting {
  readonly write: SpaceWrite
  readonly size: number
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const MAX_GROUP = 500
/** Characters of one group; a write that is larger is one by itself. */
const MAX_SIZE = 4_000_000

export class SpaceWriter {
  readonly #connections: Connections
  readonly #space: string
  readonly #waiting: Waiting[] = []
  #isWorking = false

  constructor(connections: Connections, space: string) {
    this.#connections = connections
    this.#space = space
  }

  /** Resolves with what the write answers, once it is committed. */
  write(write: SpaceWrite): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, size: sizeOf(write), resolve, reject })
      if (!this.#isWorking) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    // Whoever comes in the same moment is of the same group.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#commitGroup(this.#takeGroup())
    this.#isWorking = false
  }

  #takeGroup(): Waiting[] {
    let [count, size] = [0, 0]
    for (const next of this.#waiting) {
      // Vectors are a transaction of their own: without pgvector only they fail.
      if (count > 0 && (!isOfItems(next.write) || !isOfItems(this.#waiting[0]?.write ?? next.write))) break
      if (count > 0 && (count === MAX_GROUP || size + next.size > MAX_SIZE)) break
      count++
      size += next.size
    }
    return this.#waiting.splice(0, count)
  }

  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#commit(group.map(({ write }) => write))
      for (const [place, { resolve }] of group.entries()) resolve(answers[place] ?? null)
    } catch (error) {
      // A server that cannot be reached is no fault of any of them.
      if (group.length === 1 || isPassing(error) || isUncertain(error)) for (const { reject } of group) reject(error)
      else for (const one of group) await this.#commitGroup([one])
    }
  }

  async #commit(writes: readonly SpaceWrite[]): Promise<Answer[]> {
    const token = randomUUID()
    let wasCommitting = false
    try {
      return await this.#connections.use(this.#space, async (connection) => {
        const vectors = await this.#begin(connection)
        const known = wasCommitting ? await readMark(connection, token) : undefined
        if (known !== undefined) {
          await connection.query('ROLLBACK')
          return known
        }
        wasCommitting = false
        const answers = await this.#do(connection, vectors, writes)
        await connection.query('INSERT INTO writes (token, results) VALUES ($1::uuid, $2)', [
          token,
          JSON.stringify(answers),
        ])
        wasCommitting = true
        await connection.query('COMMIT')
        return answers
      })
    } catch (error) {
      if (!wasCommitting || !isPassing(error)) throw error
      throw new ThreadFailure('uncertain', `whether it was stored is not known (${errorMessage(error)})`)
    }
  }

  /** Resolves with the version of the vector tables. */
  async #begin(connection: ServerConnection): Promise<number> {
    await connection.query('BEGIN')
    const [row] = await connection.query('SELECT version, vectors FROM spaces WHERE name = $1 FOR UPDATE', [
      this.#space,
    ])
    if (row === undefined) throw lost(`its "${this.#space}" was removed`)
    throwOnNewer(this.#space, Number(row.version))
    return Number(row.vectors)
  }

  async #do(connection: ServerConnection, vectors: number, writes: readonly SpaceWrite[]): Promise<Answer[]> {
    const [first] = writes
    if (first?.name === 'putVectors') {
      return [await putVectors(connection, this.#space, vectors, first.model, first.vectors)]
    }
    if (first?.name === 'keepVectorsOf') {
      await keepVectorsOf(connection, this.#space, vectors, first.models)
      return [null]
    }
    return await writeItems(connection, this.#space, writes.filter(isOfItems))
  }
}

const isOfItems = (write: SpaceWrite): write is ItemWrite =>
  write.name !== 'putVectors' && write.name !== 'keepVectorsOf'

const isUncertain = (error: unknown): boolean => error instanceof ThreadFailure && error.kind === 'uncertain'

async function readMark(connection: ServerConnection, token: string): Promise<Answer[] | undefined> {
  const [row] = await connection.query('SELECT results FROM writes WHERE token = $1::uuid', [token])
  // Written by `#commit`.
  return row === undefined ? undefined : (JSON.parse(String(row.results)) as Answer[])
}

function sizeOf(write: SpaceWrite): number {
  if (write.name === 'put') return write.items.reduce((sum, { text, data }) => sum + text.length + data.length, 0)
  return write.name === 'replace' ? write.item.text.length + write.item.data.length : 1
}
