/** What an agent takes for one program: its process with its workers. What happens before the agent listens is kept for it. */
import { errorMessage } from '@switchboard/base'
import { BridgeError } from '@switchboard/bridge'
import type { JsonObject } from '@switchboard/protocol'
import { readNumber, readObject, readObjects } from './dap-messages.ts'
import type { Member } from './member.ts'

export class AgentTarget {
  readonly number: number
  readonly members: Member[] = []
  readonly #send: (message: JsonObject) => void
  /** Who handed a number out. Within one adapter they are unique over its sessions. */
  readonly #threads = new Map<number, Member>()
  readonly #frames = new Map<number, Member>()
  readonly #references = new Map<number, Member>()
  #early: JsonObject[] | undefined = []
  #seq = 1
  hasEnded = false

  constructor(number: number, send: (message: JsonObject) => void) {
    this.number = number
    this.#send = send
  }

  /** The process itself. */
  get main(): Member | undefined {
    return this.members.find(({ isLauncher }) => !isLauncher)
  }

  get live(): readonly Member[] {
    return this.members.filter(({ isLauncher, hasEnded }) => !isLauncher && !hasEnded)
  }

  /** The agent has said all that it wants: from now on it is told what happens. */
  open(): void {
    const early = this.#early ?? []
    this.#early = undefined
    for (const message of early) this.#send(message)
  }

  tell(event: string, body: JsonObject = {}): void {
    const message = { seq: this.#seq++, type: 'event', event, body }
    if (this.#early === undefined) this.#send({ target: this.number, message })
    else this.#early.push({ target: this.number, message })
  }

  respond(request: JsonObject, answer: { readonly body?: unknown } | { readonly failure: unknown }): void {
    const { seq: request_seq, command } = request
    const common = { seq: this.#seq++, type: 'response', request_seq, command }
    const message =
      'failure' in answer
        ? { ...common, success: false, ...describeFailure(answer.failure) }
        : { ...common, success: true, body: readObject(answer.body) }
    this.#send({ target: this.number, message })
  }

  /** It can say nothing more, and why. */
  close(reason: string): void {
    this.hasEnded = true
    this.#send({ target: this.number, closed: reason })
  }

  noteThread(threadId: number, member: Member): void {
    this.#threads.set(threadId, member)
  }

  /** Who a request is for, by the numbers in it. */
  memberFor({ threadId, frameId, variablesReference }: JsonObject): Member | undefined {
    const known =
      this.#threads.get(readNumber(threadId) ?? Number.NaN) ??
      this.#frames.get(readNumber(frameId) ?? Number.NaN) ??
      this.#references.get(readNumber(variablesReference) ?? Number.NaN)
    return known ?? this.live[0]
  }

  /** The numbers in an answer are good for asking on. */
  learn(member: Member, body: JsonObject): void {
    for (const { id } of readObjects(body.threads)) this.#note(this.#threads, id, member)
    for (const { id } of readObjects(body.stackFrames)) this.#note(this.#frames, id, member)
    for (const row of [body, ...readObjects(body.scopes), ...readObjects(body.variables)]) {
      this.#note(this.#references, row.variablesReference, member)
    }
  }

  #note(table: Map<number, Member>, id: unknown, member: Member): void {
    const number = readNumber(id)
    if (number !== undefined) table.set(number, member)
  }
}

/** A code of ours goes along: no adapter has any. */
function describeFailure(failure: unknown): JsonObject {
  const message = errorMessage(failure)
  if (!(failure instanceof BridgeError)) return { message }
  const { code, hint } = failure
  return { message, body: { switchboardError: { code, ...(hint === undefined ? {} : { hint }) } } }
}
