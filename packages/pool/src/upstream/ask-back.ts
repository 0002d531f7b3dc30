/**
 * A server's questions to the agent's side. Which call one belongs to was found out by the connection; here it is
 * decided whether that caller can be asked, and the call's budget stands still while it is.
 */
import {
  type AskOptions,
  type AskRequest,
  type Call,
  isJsonObject,
  type JsonObject,
  type JsonRpcRequest,
  SwitchboardError,
} from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import { createAbortError } from '../connection/pending-requests.ts'
import type { QuestionOrigin } from '../connection/question-origin.ts'

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
  readonly log: Logger
  /** False: whatever it asks is declined. */
  readonly mayAsk: boolean
  /** Whoever owns a private connection: the one a question without a call belongs to. */
  readonly owner: Call | undefined
  /** How long another caller has been waiting for the place of this call. */
  waitedMs(call: Call): number
  /** It was seen asking in the middle of a call. */
  onAskedBack(): void
}

export class AskBack {
  readonly #options: AskBackOptions

  constructor(options: AskBackOptions) {
    this.#options = options
  }

  async answer(
    request: JsonRpcRequest,
    origin: QuestionOrigin,
    signal: AbortSignal,
    pause: (paused: boolean) => void,
  ): Promise<JsonObject> {
    const { server, log, mayAsk, owner, waitedMs, onAskedBack } = this.#options
    if (!NEEDED_CAPABILITY.has(request.method)) {
      throw new SwitchboardError('unknown_method', `This client does not know the method ${request.method}`)
    }
    if (!mayAsk) throw createNotAllowedError(server, request.method)
    if (origin.known || !origin.why.startsWith('no call')) onAskedBack()
    const call = origin.known ? origin.request.call : owner
    if (call === undefined) {
      const why = origin.known ? 'its call has no caller' : origin.why
      log.warn('pool.ask', `${server}: declined ${request.method}: ${why}`, { server, method: request.method, why })
      throw new SwitchboardError('ask_unattributable', `${request.method} cannot be attributed to a call: ${why}`)
    }
    const key = String(request.id)
    pause(true)
    try {
      const question: AskRequest = {
        method: request.method,
        ...(request.params === undefined ? {} : { params: request.params }),
      }
      const answers = await askCaller(call, { [key]: question }, { waitedMs: () => waitedMs(call), signal })
      const answer = answers[key]
      if (!isJsonObject(answer))
        throw new SwitchboardError('ask_unsupported', `The client gave no answer to ${request.method}`)
      return answer
    } finally {
      pause(false)
    }
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
    const needed = NEEDED_CAPABILITY.get(method)
    const able = needed === undefined || call.caller.capabilities[needed] !== undefined
    if (call.ask === undefined || !able) {
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
