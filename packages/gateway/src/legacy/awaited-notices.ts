/**
 * Notices of servers that name nothing but an id: that a visit to a URL is over, or how a task is. They belong to the
 * session that was sent to that URL, or made that task, and to nobody else.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import { readUrlElicitations } from '../url-elicitations.ts'

/** More are forgotten, the oldest first. */
const MAX_AWAITED = 1_000

export class AwaitedNotices {
  readonly #keys = new Set<string>()

  onQuestion(method: string, params: JsonObject): void {
    if (method === 'elicitation/create' && params.mode === 'url') this.#await('visit', params.elicitationId)
  }

  onResult(result: JsonObject): void {
    if (isJsonObject(result.task)) this.#await('task', result.task.taskId)
  }

  /** The other way to be sent to a URL: the call fails and is to be made again after the visit. */
  onError(error: SwitchboardError): void {
    for (const { elicitationId } of readUrlElicitations(error)) this.#await('visit', elicitationId)
  }

  isFor(method: string, { elicitationId, taskId }: JsonObject): boolean {
    // An id may be anything, also what cannot be made a text.
    if (method === 'notifications/elicitation/complete')
      return typeof elicitationId === 'string' && this.#keys.delete(`visit ${elicitationId}`)
    return method === 'notifications/tasks/status' && typeof taskId === 'string' && this.#keys.has(`task ${taskId}`)
  }

  #await(kind: 'visit' | 'task', id: unknown): void {
    if (typeof id !== 'string') return
    this.#keys.add(`${kind} ${id}`)
    const [oldest] = this.#keys
    if (this.#keys.size > MAX_AWAITED && oldest !== undefined) this.#keys.delete(oldest)
  }
}
