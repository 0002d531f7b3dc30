/**
 * A server's questions to the agent's side. Which agent one belongs to is found out by the connection; here it is
 * decided whether that agent can be asked, and the budgets of its calls stand still while it is.
 */
import type { Clock } from '@switchboard/base'
import {
  type AskOptions,
  type AskRequest,
  type Call,
  isJsonObject,
  type JsonObject,
  type JsonRpcRequest,
} from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import type { AskedQuestion } from '../connection/question-origin.ts'
import { createAbortError, type ServerRequest } from '../connection/server-requests.ts'

/** What each question needs of the one who is asked. */
const NEEDED_CAPABILITY: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
])

/** A person may take their time, but not for ever. */
export const ASK_TIMEOUT_MS = 10 * 60_000

export interface AskBackOptions {
  readonly server: string
  readonly clock: Clock
  readonly log: Logger
  /** False: whatever it asks is declined. */
  readonly mayAsk: boolean
  /** Whoever owns a private connection: the one a question without a call belongs to. */
  readonly owner: Call | undefined
  /** How long another caller has been waiting for the place, or the turn, of this call. */
  waitedMs(call: Call): number
  /** One of these asks. `isDeclined`: and it is not to be found out which. */
  onAskedBack(requests: readonly ServerRequest[], isDeclined: boolean): void
  /** Whether it was seen asking before. */
  hasAskedBefore(request: ServerRequest): boolean
}

export class AskBack {
  readonly #options: AskBackOptions
  /** What callers are being asked. */
  readonly #open = new Map<Call, Set<Promise<unknown>>>()
  /** Questions of which it cannot be told yet whose they are. */
  readonly #waiting = new Set<{ readonly since: number }>()
  /** What was asked of callers of the modern era that these had not declared. */
  readonly #lacking = new WeakMap<Call, Record<string, JsonObject>>()

  constructor(options: AskBackOptions) {
    this.#options = options
  }

  async answer(
    request: JsonRpcRequest,
    question: AskedQuestion,
    signal: AbortSignal,
    pause: (request: ServerRequest, isPaused: boolean) => void,
  ): Promise<JsonObject> {
    const { server, clock, log, mayAsk, owner, onAskedBack } = this.#options
    if (!NEEDED_CAPABILITY.has(request.method)) {
      throw new SwitchboardError('unknown_method', `This client does not know the method ${request.method}`)
    }
    if (!mayAsk) throw createNotAllowedError(server, request.method)
    if (owner !== undefined) return this.#askOwner(owner, request, question, signal, pause)
    onAskedBack(question.look().requests, false)
    const waiting = { since: clock.now() }
    this.#waiting.add(waiting)
    const origin = await question.settle(signal)
    this.#waiting.delete(waiting)
    onAskedBack(origin.requests, !origin.known)
    if (!origin.known) {
      const { why } = origin
      log.warn('pool.ask', `${server}: declined ${request.method}: ${why}`, { server, method: request.method, why })
      throw new SwitchboardError('ask_unattributable', `${request.method} cannot be attributed to a call: ${why}`)
    }
    return this.#askAgent(origin.requests, request, question, signal, pause)
  }

  /** Whatever is asked on this connection is asked of its owner. */
  #askOwner(
    owner: Call,
    request: JsonRpcRequest,
    question: AskedQuestion,
    signal: AbortSignal,
    pause: (request: ServerRequest, isPaused: boolean) => void,
  ): Promise<JsonObject> {
    const origin = question.look()
    const asking = origin.known ? origin.requests : []
    const call = asking.at(-1)?.options.call ?? owner
    return whilePaused(asking, pause, () => this.#ask(call, request, { waitedMs: () => 0, signal }))
  }

  /**
   * Through one of its calls: the likeliest, and when that is over without an answer, another. Which of them asked is not known,
   * so the budgets of all stand still.
   */
  #askAgent(
    requests: readonly ServerRequest[],
    request: JsonRpcRequest,
    question: AskedQuestion,
    signal: AbortSignal,
    pause: (request: ServerRequest, isPaused: boolean) => void,
  ): Promise<JsonObject> {
    const { waitedMs, hasAskedBefore } = this.#options
    const latestFirst = requests.toReversed()
    const likely = [...latestFirst.filter(hasAskedBefore), ...latestFirst.filter((one) => !hasAskedBefore(one))]
    return whilePaused(requests, pause, async () => {
      let failure: unknown
      for (const asking of likely) {
        const { call } = asking.options
        const over = question.watch(asking)
        if (call === undefined || over.aborted) continue
        try {
          const options = {
            waitedMs: () => Math.max(waitedMs(call), this.#waitedMs()),
            signal: AbortSignal.any([signal, over]),
          }
          return await this.#ask(call, request, options)
        } catch (error) {
          failure = error
          if (!over.aborted || signal.aborted) throw error
        }
      }
      throw failure ?? new SwitchboardError('cancelled', 'The call that asked is over')
    })
  }

  /** How long a question has been waiting for the calls that are being asked: they keep it from being told whose it is. */
  #waitedMs(): number {
    // The oldest stand first.
    const [first] = this.#waiting
    return first === undefined ? 0 : this.#options.clock.now() - first.since
  }

  async #ask(call: Call, { id, method, params }: JsonRpcRequest, options: AskOptions): Promise<JsonObject> {
    const key = String(id)
    await this.#declineLast(call, method)
    const question: AskRequest = { method, ...(params === undefined ? {} : { params }) }
    const asked = askCaller(call, { [key]: question }, options)
    const answer = (await this.#keepOpen(call, asked))[key]
    if (!isJsonObject(answer)) throw new SwitchboardError('ask_unsupported', `The client gave no answer to ${method}`)
    return answer
  }

  /**
   * A call that fails after its question was declined has failed for want of an answer: what it lacks is what a modern caller is
   * told. One that goes on without is left to its result.
   */
  judge(call: Call, result: JsonObject): JsonObject {
    if (result.isError === true) this.throwOnLacking(call)
    return result
  }

  throwOnLacking(call: Call): void {
    const requiredCapabilities = this.#lacking.get(call)
    if (requiredCapabilities === undefined) return
    const what = Object.keys(requiredCapabilities).join(', ')
    throw new SwitchboardError('ask_unsupported', `The request does not declare what it needs: ${what}`, {
      details: { requiredCapabilities },
    })
  }

  async #keepOpen<T>(call: Call, asked: Promise<T>): Promise<T> {
    const open = this.#open.get(call) ?? new Set()
    this.#open.set(call, open.add(asked))
    try {
      return await asked
    } finally {
      open.delete(asked)
      if (open.size === 0) this.#open.delete(call)
    }
  }

  /** Some servers give up all questions of a call when one is declined: those that its caller can answer come first. */
  async #declineLast(call: Call, method: string): Promise<void> {
    const needed = findLacking(call, method)
    if (needed === undefined) return
    if (call.caller.era === 'modern') this.#lacking.set(call, { ...this.#lacking.get(call), [needed]: {} })
    // Those that were asked together arrive together.
    await new Promise((resolve) => setImmediate(resolve))
    for (let open = this.#open.get(call); open !== undefined; open = this.#open.get(call))
      await Promise.allSettled(open)
  }
}

/** The capability that its caller lacks to be asked that. */
function findLacking(call: Call, method: string): string | undefined {
  const needed = NEEDED_CAPABILITY.get(method)
  return needed !== undefined && call.caller.capabilities[needed] === undefined ? needed : undefined
}

async function whilePaused<T>(
  requests: readonly ServerRequest[],
  pause: (request: ServerRequest, isPaused: boolean) => void,
  work: () => Promise<T>,
): Promise<T> {
  for (const request of requests) pause(request, true)
  try {
    return await work()
  } finally {
    for (const request of requests) pause(request, false)
  }
}

export function createNotAllowedError(server: string, method: string): SwitchboardError {
  return new SwitchboardError('ask_unsupported', `The server ${server} is configured never to ask back (${method})`, {
    hint: 'Set `interactive` for it to "auto" or true if it may.',
  })
}

/** Asks one caller, and gives up when its call is over. */
export async function askCaller(
  call: Call,
  requests: Readonly<Record<string, AskRequest>>,
  options?: AskOptions,
): Promise<Readonly<Record<string, JsonObject>>> {
  for (const { method } of Object.values(requests)) {
    if (call.ask === undefined || findLacking(call, method) !== undefined) {
      throw new SwitchboardError('ask_unsupported', `The client that made this call does not support ${method}`)
    }
  }
  if (call.ask === undefined) return {}
  const over = Promise.withResolvers<never>()
  const signals = options?.signal === undefined ? [call.signal] : [call.signal, options.signal]
  const onAbort = (): void => over.reject(createAbortError(signals.find(({ aborted }) => aborted)?.reason))
  if (signals.some(({ aborted }) => aborted)) onAbort()
  for (const signal of signals) signal.addEventListener('abort', onAbort)
  const timer = setTimeout(() => {
    over.reject(new SwitchboardError('timeout', `The client did not answer within ${ASK_TIMEOUT_MS / 60_000} minutes`))
  }, ASK_TIMEOUT_MS)
  try {
    return await Promise.race([call.ask(requests, options), over.promise])
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', onAbort)
    over.promise.catch(() => {})
  }
}
