/**
 * Which provider made a task: later requests name nothing but its id. Servers count theirs as they like, so two of them may
 * have the same id, and whoever can count can guess one. Agents therefore get an id of ours, which nobody can guess: it
 * leads to the one task that its holder made, and holds in any session of the same credential, for an agent may come back
 * for its task. Both eras' shapes of a new task are recognised.
 */
import { randomBytes } from 'node:crypto'
import { type Call, isJsonObject, type JsonObject, type Provider } from '@switchboard/protocol'

/** More are forgotten, the oldest first. */
const MAX_TASKS = 10_000
const RELATED = 'io.modelcontextprotocol/related-task'

interface Task {
  readonly provider: Provider
  /** As its server counts. */
  readonly id: string
  readonly credential: string | undefined
  /** Who made it; undefined: nobody can tell, and it is in no list. */
  readonly owner: string | undefined
}

export interface FoundTask {
  readonly provider: Provider
  /** As its server knows it. */
  toServer(message: JsonObject): JsonObject
  /** As the agent knows it. */
  toAgent(message: JsonObject): JsonObject
}

export class TaskRoutes {
  readonly #tasks = new Map<string, Task>()
  /** By provider and id. */
  readonly #ids = new Map<string, Set<string>>()

  /** What the agent is told of a result: of a new task, its id of ours. */
  adopt(result: JsonObject, provider: Provider, { credential, owner }: Pick<Task, 'credential' | 'owner'>): JsonObject {
    const id = readTaskId(result)
    if (typeof id !== 'string') return result
    const own = randomBytes(18).toString('base64url')
    this.#add(own, { provider, id, credential, owner })
    return rename(result, id, own)
  }

  find(own: unknown, credential: string | undefined): FoundTask | undefined {
    const task = typeof own === 'string' ? this.#tasks.get(own) : undefined
    if (typeof own !== 'string' || task === undefined || task.credential !== credential) return undefined
    return {
      provider: task.provider,
      toServer: (message) => rename(message, own, task.id),
      toAgent: (message) => rename(message, task.id, own),
    }
  }

  /** Of a server's list: those that this caller made, under its ids. A server lists to us what all of them made. */
  pick(tasks: unknown, provider: string, { credential, owner }: Pick<Task, 'credential' | 'owner'>): JsonObject[] {
    if (!Array.isArray(tasks)) return []
    const isOwn = (own: string): boolean => {
      const task = this.#tasks.get(own)
      return credential === undefined ? owner !== undefined && task?.owner === owner : task?.credential === credential
    }
    return tasks.filter(isJsonObject).flatMap((task) => {
      if (typeof task.taskId !== 'string') return []
      const owns = [...(this.#ids.get(keyOf(provider, task.taskId)) ?? [])]
      return owns.filter(isOwn).map((own) => ({ ...task, taskId: own }))
    })
  }

  /** What a server announces of a task, under each id that agents have for it. */
  announce(provider: string, params: JsonObject): JsonObject[] {
    const { taskId } = params
    const owns = typeof taskId === 'string' ? this.#ids.get(keyOf(provider, taskId)) : undefined
    return [...(owns ?? [])].map((own) => ({ ...params, taskId: own }))
  }

  #add(own: string, task: Task): void {
    const key = keyOf(task.provider.name, task.id)
    const ids = this.#ids.get(key)
    this.#tasks.set(own, task)
    if (ids === undefined) this.#ids.set(key, new Set([own]))
    else ids.add(own)
    if (this.#tasks.size <= MAX_TASKS) return
    const [oldest] = this.#tasks
    if (oldest !== undefined) this.#forget(...oldest)
  }

  #forget(own: string, { provider, id }: Task): void {
    const key = keyOf(provider.name, id)
    const ids = this.#ids.get(key)
    this.#tasks.delete(own)
    ids?.delete(own)
    if (ids?.size === 0) this.#ids.delete(key)
  }
}

function keyOf(provider: string, id: string): string {
  return `${provider}\0${id}`
}

/** Wherever a message of either era names a task; all else stays as it came. */
function rename(message: JsonObject, from: string, to: string): JsonObject {
  let renamed = message
  if (message.taskId === from) renamed = { ...renamed, taskId: to }
  if (isJsonObject(message.task) && message.task.taskId === from) {
    renamed = { ...renamed, task: { ...message.task, taskId: to } }
  }
  const related = isJsonObject(message._meta) ? message._meta[RELATED] : undefined
  if (isJsonObject(message._meta) && isJsonObject(related) && related.taskId === from) {
    renamed = { ...renamed, _meta: { ...message._meta, [RELATED]: { ...related, taskId: to } } }
  }
  return renamed
}

/** What a server asks in the middle of a task, and what it is answered, name the task as well. */
export function withTask(call: Call, { toServer, toAgent }: FoundTask): Call {
  const { ask } = call
  if (ask === undefined) return call
  return {
    ...call,
    ask: async (requests, options) => {
      const renamed = Object.entries(requests).map(([key, { params, ...request }]) => [
        key,
        params === undefined ? request : { ...request, params: toAgent(params) },
      ])
      const answers = await ask(Object.fromEntries(renamed), options)
      return Object.fromEntries(Object.entries(answers).map(([key, answer]) => [key, toServer(answer)]))
    },
  }
}

/** Of the task that a result is about, in either era. */
export function readTaskId(result: JsonObject): unknown {
  return isJsonObject(result.task) ? result.task.taskId : result.resultType === 'task' ? result.taskId : undefined
}
