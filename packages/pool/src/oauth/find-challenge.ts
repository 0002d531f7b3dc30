import { createRequest } from '@switchboard/protocol'
import { type Challenge, readChallenge } from './challenge.ts'

const TIME_LIMIT_MS = 10_000

/** What the server says to somebody without a login; undefined: it asks for none, or says nothing at all. */
export async function findChallenge(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Challenge | undefined> {
  // A ping begins nothing that would have to be ended; HTTP+SSE has its door at GET.
  const body = JSON.stringify(createRequest(0, 'ping'))
  const tries: readonly RequestInit[] = [
    { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    { method: 'GET', headers: {} },
  ]
  for (const { headers: own, ...request } of tries) {
    const limit = AbortSignal.timeout(TIME_LIMIT_MS)
    try {
      const response = await fetch(url, {
        ...request,
        headers: { ...headers, ...Object.fromEntries(new Headers(own)), accept: 'application/json, text/event-stream' },
        redirect: 'manual',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
      // It may be a stream that never ends.
      await response.body?.cancel()
      if (response.status === 401) return readChallenge(response.headers.get('www-authenticate') ?? undefined)
    } catch {
      // Whoever cannot be reached here is told of by what is asked next.
      signal?.throwIfAborted()
    }
  }
  return undefined
}
