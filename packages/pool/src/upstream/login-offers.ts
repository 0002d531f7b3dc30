/**
 * A login that a call lacks, offered to the person in front of the agent: its client shows the address, and the call waits for the
 * visit. One person is asked once, however many calls wait; who declines is left in peace for a while.
 */
import { errorMessage } from '@switchboard/base'
import { type Call, laneOf } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import type { BeginLogin, LoginVisit } from '../oauth/login-keeper.ts'
import { askCaller } from './ask-back.ts'

const LEFT_IN_PEACE_MS = 5 * 60_000
const MOST_REMEMBERED = 500

function isLoginWanted(error: unknown): boolean {
  return error instanceof SwitchboardError && error.code === 'unauthorized_upstream' && error.details.login === 'wanted'
}

export class LoginOffers {
  readonly #begin: BeginLogin
  readonly #log: Logger
  readonly #open = new Map<string, Promise<boolean>>()
  readonly #declined = new Map<string, number>()

  constructor(begin: BeginLogin, log: Logger) {
    this.#begin = begin
    this.#log = log
  }

  /** What a call failed with. True: somebody has logged in. */
  async offer(server: string, call: Call, error: unknown): Promise<boolean> {
    if (!isLoginWanted(error)) return false
    const open = this.#open.get(server)
    if (open !== undefined) return whileWanted(open, call.signal)
    if (!canVisit(call) || this.#isLeftInPeace(server, call)) return false
    const offered = this.#offer(server, call).finally(() => this.#open.delete(server))
    this.#open.set(server, offered)
    return offered
  }

  async #offer(server: string, call: Call): Promise<boolean> {
    let visit: LoginVisit | undefined
    try {
      visit = await this.#begin(server, call.signal)
      const { url, issuer } = visit
      const message = `The server "${server}" wants a login. It is done in your browser, on the page of ${issuer}.`
      const params = { mode: 'url', message, url }
      const { login } = await askCaller(call, { login: { method: 'elicitation/create', params } })
      if (login?.action !== 'accept') {
        this.#leaveInPeace(server, call)
        return false
      }
      return await whileWanted(
        visit.done.then(() => true),
        call.signal,
      )
    } catch (error) {
      this.#log.warn('pool.login', `${server}: the login that was offered did not come about: ${errorMessage(error)}`, {
        server,
      })
      return false
    } finally {
      visit?.leave()
    }
  }

  #isLeftInPeace(server: string, { caller }: Call): boolean {
    const since = this.#declined.get(`${server} ${laneOf(caller)}`)
    return since !== undefined && performance.now() - since < LEFT_IN_PEACE_MS
  }

  #leaveInPeace(server: string, { caller }: Call): void {
    if (this.#declined.size >= MOST_REMEMBERED) this.#declined.clear()
    this.#declined.set(`${server} ${laneOf(caller)}`, performance.now())
  }
}

/** Its client shows addresses, and says so. */
function canVisit({ ask, caller }: Call): boolean {
  const { elicitation } = caller.capabilities
  return ask !== undefined && typeof elicitation === 'object' && elicitation !== null && 'url' in elicitation
}

/** Whoever is called away waits no longer. */
async function whileWanted(done: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const left = Promise.withResolvers<boolean>()
  const leave = (): void => left.resolve(false)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  try {
    return await Promise.race([done, left.promise])
  } finally {
    signal.removeEventListener('abort', leave)
    done.catch(() => {})
  }
}
