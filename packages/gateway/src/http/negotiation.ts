/** Content types: what the client sends and what it takes. */

export interface Accepts {
  readonly json: boolean
  readonly events: boolean
}

/** As nearly every client writes it. */
const USUAL = 'application/json, text/event-stream'
const BOTH: Accepts = { json: true, events: true }
const JSON_ONLY: Accepts = { json: true, events: false }
const EVENTS_ONLY: Accepts = { json: false, events: true }
const NEITHER: Accepts = { json: false, events: false }

/** Lenient: a client that says nothing takes anything. */
export function readAccept(header: string | undefined): Accepts {
  if (header === undefined || header === USUAL || header === '') return BOTH
  const accept = header.toLowerCase()
  if (accept.includes('*/*')) return BOTH
  const json = accept.includes('application/json') || accept.includes('application/*')
  const events = accept.includes('text/event-stream') || accept.includes('text/*')
  if (json) return events ? BOTH : JSON_ONLY
  return events ? EVENTS_ONLY : NEITHER
}

/** Parameters such as the charset are ignored: JSON is UTF-8. */
export function isJsonContentType(header: string | undefined): boolean {
  if (header === undefined) return false
  if (header === 'application/json') return true
  const end = header.indexOf(';')
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase() === 'application/json'
}
