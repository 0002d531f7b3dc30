import { isJsonObject, type JsonObject, type Provider } from '@switchboard/protocol'

/** More are forgotten, the oldest first. */
const MAX_TASKS = 10_000

/**
 * Which provider made a task: later requests name nothing but its id. Both eras' shapes of a new task are recognised.
 * A task belongs to the credential that it was made with, and outlives the session: an agent may come back for it.
 */
export class TaskRoutes {
  readonly #owners = new Map<string, Provider>()

  remember(result: JsonObject, provider: Provider, credential: string | undefined): void {
    const id = isJsonObject(result.task) ? result.task.taskId : result.resultType === 'task' ? result.taskId : undefined
    if (typeof id !== 'string') return
    this.#owners.set(createKey(id, credential), provider)
    if (this.#owners.size <= MAX_TASKS) return
    const [oldest] = this.#owners.keys()
    if (oldest !== undefined) this.#owners.delete(oldest)
  }

  find(taskId: unknown, credential: string | undefined): Provider | undefined {
    return typeof taskId === 'string' ? this.#owners.get(createKey(taskId, credential)) : undefined
  }
}

function createKey(taskId: string, credential: string | undefined): string {
  return `${credential ?? ''}\0${taskId}`
}
