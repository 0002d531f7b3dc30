/**
 * What a server may ask of its client. Legacy: requests of their own. Modern: the same methods and parameters
 * inside `input_required`.
 *
 * | | 2024-11-05 | 2025-03-26 | 2025-06-18 | 2025-11-25 | 2026-07-28 |
 * | sampling    | text, image | + audio | same        | + tools                        | deprecated |
 * | roots       | yes         | same    | same        | same                           | deprecated |
 * | elicitation | none        | none    | form        | + url mode, complete           | no elicitationId, no complete |
 */
import type { ClientCapabilities } from '../mcp.ts'
import type { LegacyVersion } from '../versions.ts'

/** The legacy error with which a 2025-11-25 server says that a page must be visited first; `data.elicitations`. */
export const URL_ELICITATION_REQUIRED = -32042

/**
 * Which of the client's capabilities a server of that revision understands; the others are left out of `initialize`.
 * 2025-06-18 reads an empty `elicitation` as its one mode, 2025-11-25 reads it as form.
 */
export function limitCapabilities(capabilities: ClientCapabilities, version: LegacyVersion): ClientCapabilities {
  const limited: ClientCapabilities = { ...capabilities }
  // Extensions belong to the modern era; a legacy server would not know what to do with them.
  delete limited.extensions
  if (version === '2025-11-25') return limited
  delete limited.tasks
  if (limited.sampling !== undefined) limited.sampling = {}
  if (version === '2025-06-18') {
    const { elicitation } = limited
    const hasForm = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
    if (hasForm) limited.elicitation = {}
    else delete limited.elicitation
  } else {
    delete limited.elicitation
  }
  return limited
}
