/**
 * Who the page is to the daemon. The link's secret comes in the fragment, is exchanged once, and is gone from the address before
 * anything else happens. The session is kept by the browser for this origin, which has the port in it; never in a cookie.
 */
import type { DashboardFailure } from '@switchboard/daemon/client'

const KEY = 'switchboard-session'
const ENTER = /^#enter=([\w-]+)$/

export class AskFailure extends Error {
  readonly code: string
  readonly hint: string

  constructor({ code, message, hint }: DashboardFailure) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

let session = readKept()
let onLost: () => void = () => undefined

function hasSession(): boolean {
  return session !== undefined
}

/** The daemon does not know us any more. */
export function whenLost(listener: () => void): void {
  onLost = listener
}

/** False: there is no session, and the link, if there was one, gave none. */
export async function enter(): Promise<boolean> {
  const [, link] = ENTER.exec(location.hash) ?? []
  if (link === undefined) return hasSession()
  history.replaceState(null, '', `${location.pathname}#/servers`)
  try {
    keep((await post<{ session: string }>('enter', { link }, {})).session)
    return true
  } catch (error) {
    // One that was used before, by somebody who is still here.
    if (error instanceof AskFailure && error.code === 'unauthorized') return hasSession()
    throw error
  }
}

export async function leave(): Promise<void> {
  await ask('leave', {}).catch(() => undefined)
  keep(undefined)
  onLost()
}

export async function ask<T extends object>(method: string, params: object, signal?: AbortSignal): Promise<T> {
  try {
    return await post<T>(method, params, { authorization: `Bearer ${session ?? ''}` }, signal)
  } catch (error) {
    throw giveUpOn(error)
  }
}

/** The stream of `feed`, line by line, until it ends or the signal does. */
export async function* follow<T extends object>(topics: object, signal: AbortSignal): AsyncGenerator<T> {
  const response = await send('feed', { topics }, { authorization: `Bearer ${session ?? ''}` }, signal)
  if (!response.ok) throw giveUpOn(await readFailure(response))
  let rest = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    // What the daemon writes is FeedMessage.
    for (const line of lines) if (line !== '') yield JSON.parse(line) as T
  }
}

function giveUpOn(error: unknown): unknown {
  if (error instanceof AskFailure && error.code === 'unauthorized') {
    keep(undefined)
    onLost()
  }
  return error
}

async function post<T extends object>(
  method: string,
  params: object,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<T> {
  const response = await send(method, params, headers, signal)
  if (!response.ok) throw await readFailure(response)
  // As wire.ts has it for this method.
  return (await response.json()) as T
}

async function send(
  method: string,
  params: object,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(`/dashboard/api/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(params),
      credentials: 'omit',
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new AskFailure({
      code: 'daemon_unavailable',
      message: 'The daemon does not answer',
      hint: 'It may be starting again. If it stays so, `switchboard up` starts it, and `switchboard dashboard` gives a new link.',
    })
  }
}

async function readFailure(response: Response): Promise<AskFailure> {
  const body: unknown = await response.json().catch(() => undefined)
  const known = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  // Every refusal of the daemon has it; what else answers does not.
  return new AskFailure(
    (known as DashboardFailure | undefined) ?? {
      code: 'internal',
      message: `The daemon answered with ${response.status}`,
      hint: 'switchboard logs --source daemon says more.',
    },
  )
}

function readKept(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

/** Where nothing may be kept, the session lasts as long as the page. */
function keep(next: string | undefined): void {
  session = next
  try {
    if (next === undefined) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Private windows of some browsers.
  }
}
