/**
 * The daemon's requests to the agent that wait for its answer. Two daemons count from one alike, and an agent may answer a
 * question of the old one late: from the second daemon on, ids are made unique on the way to the agent and put back on the
 * way home, and an answer to a question that is not open goes nowhere.
 */
import { createNotification, isJsonObject, isRequestId, type JsonObject, type RequestId } from '@switchboard/protocol'
import { encodeMessage, parseJson, stringifyJson } from '@switchboard/protocol/framing'
import type { MessageHead, RequestHead } from './message-head.ts'

type Response = Extract<MessageHead, { kind: 'response' }>

export class Questions {
  /** By the id that the agent sees. */
  readonly #open = new Map<RequestId, RequestId>()
  #generation = 0

  /** Another daemon asks from now on. Returns what tells the agent that the open questions are void. */
  renew(): string[] {
    const void_ = [...this.#open.keys()].map((requestId) =>
      encodeMessage(
        createNotification('notifications/cancelled', {
          requestId,
          reason: 'The daemon that asked is gone, and with it the call that this question belonged to.',
        }),
      ),
    )
    this.#open.clear()
    this.#generation++
    return void_
  }

  /** To the agent. */
  ask(line: Buffer, { id, message }: RequestHead): Buffer | string {
    const seen = this.#toAgent(id)
    this.#open.set(seen, id)
    return seen === id ? line : stringifyJson({ ...(message ?? parse(line)), id: seen })
  }

  /** To the daemon; undefined: nobody waits for it. */
  answer(line: Buffer, { id, message }: Response): Buffer | string | undefined {
    const asked = id === null ? undefined : this.#open.get(id)
    if (id === null || asked === undefined) return undefined
    this.#open.delete(id)
    return asked === id ? line : stringifyJson({ ...(message ?? parse(line)), id: asked })
  }

  /** The daemon withdraws one of its questions. */
  withdraw(line: Buffer, message: JsonObject): Buffer | string {
    const { params } = message
    if (!isJsonObject(params)) return line
    const { requestId } = params
    if (!isRequestId(requestId)) return line
    const seen = this.#toAgent(requestId)
    if (!this.#open.delete(seen) || seen === requestId) return line
    return stringifyJson({ ...message, params: { ...params, requestId: seen } })
  }

  #toAgent(id: RequestId): RequestId {
    return this.#generation === 0 ? id : `${this.#generation}:${typeof id}:${id}`
  }
}

/** A line that was found to be a message is an object. */
function parse(line: Buffer): JsonObject {
  return parseJson(line.toString()) as JsonObject
}
