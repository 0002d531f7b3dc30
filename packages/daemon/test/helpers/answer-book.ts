/** Keeps account of a two-way connection: what was sent, what came back, and whether that is proper. */
import { isJsonObject } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import type { FuzzCase } from './fuzz-cases.ts'

/** What is wrong with a message as JSON-RPC; undefined when nothing is. */
export function findImproper(message: unknown): string | undefined {
  if (!isJsonObject(message)) return 'not an object'
  const { jsonrpc, id, method, result, error } = message
  if (jsonrpc !== '2.0') return 'jsonrpc is not 2.0'
  if (typeof method === 'string') return undefined
  if (typeof id !== 'string' && typeof id !== 'number' && id !== null) return 'a response without an id'
  if ((result === undefined) === (error === undefined)) return 'neither a result nor an error, or both'
  if (error === undefined) return isJsonObject(result) ? undefined : 'the result is no object'
  if (!isJsonObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') return 'a bad error'
  return error.code === -32603 ? 'an internal error' : undefined
}

export class AnswerBook {
  readonly #expectedIds = new Set<string>()
  readonly #answers = new Map<string, number>()
  readonly improper: string[] = []
  #expectedErrors = 0
  #errorsWithoutId = 0

  expect({ expected }: FuzzCase): void {
    if (expected === 'error') this.#expectedErrors++
    else if (typeof expected === 'object') this.#expectedIds.add(expected.id)
  }

  receive(text: string): void {
    const message: unknown = JSON.parse(text)
    const problem = findImproper(message)
    if (problem !== undefined) this.improper.push(`${problem}: ${text.slice(0, 300)}`)
    if (!isJsonObject(message) || typeof message.method === 'string') return
    if (message.id === null) this.#errorsWithoutId++
    else this.#answers.set(String(message.id), (this.#answers.get(String(message.id)) ?? 0) + 1)
  }

  hasAnswer(id: string): boolean {
    return this.#answers.has(id)
  }

  /** Resolves when everything that had to be answered was; then nothing more is kept of it. */
  async settle(): Promise<void> {
    const open = () => [...this.#expectedIds].filter((id) => !this.#answers.has(id))
    await waitFor(() => open().length === 0 && this.#errorsWithoutId >= this.#expectedErrors, {
      timeout: 20_000,
      what: 'the last answers',
    }).catch((error: unknown) => {
      const left = open().slice(0, 5).join(', ')
      throw new Error(`${left || 'no id'} unanswered; ${this.#errorsWithoutId} of ${this.#expectedErrors} errors`, {
        cause: error,
      })
    })
    for (const id of this.#expectedIds) {
      if (this.#answers.get(id) !== 1) this.improper.push(`${id} was answered ${this.#answers.get(id)} times`)
    }
    this.#expectedIds.clear()
    this.#answers.clear()
  }
}
