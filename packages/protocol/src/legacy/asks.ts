/**
 * What a server may ask of its client. Legacy: requests of their own. Modern: the same methods and parameters
 * inside `input_required`, which is why the types serve both.
 *
 * | | 2024-11-05 | 2025-03-26 | 2025-06-18 | 2025-11-25 | 2026-07-28 |
 * | sampling    | text, image | + audio | same        | + tools                        | deprecated |
 * | roots       | yes         | same    | same        | same                           | deprecated |
 * | elicitation | none        | none    | form        | + url mode, complete           | no elicitationId, no complete |
 */
import type { JsonObject } from '../json-rpc.ts'
import type { ClientCapabilities, ContentBlock } from '../mcp.ts'
import type { NotificationParams, RequestParams } from '../messages.ts'
import type { LegacyVersion } from '../versions.ts'

export interface SamplingMessage {
  role: 'user' | 'assistant'
  /** A list since 2025-11-25 (tool use and its results). */
  content: ContentBlock | ContentBlock[]
  [key: string]: unknown
}

export interface CreateMessageParams extends RequestParams {
  messages: SamplingMessage[]
  maxTokens: number
  systemPrompt?: string
  includeContext?: 'none' | 'thisServer' | 'allServers'
  temperature?: number
  stopSequences?: string[]
  modelPreferences?: {
    hints?: { name?: string; [key: string]: unknown }[]
    costPriority?: number
    speedPriority?: number
    intelligencePriority?: number
    [key: string]: unknown
  }
  metadata?: JsonObject
  /** Since 2025-11-25, for a client that declares `sampling.tools`. */
  tools?: JsonObject[]
  toolChoice?: { mode?: 'auto' | 'required' | 'none'; [key: string]: unknown }
}

export interface CreateMessageResult extends SamplingMessage {
  model: string
  stopReason?: string
}

/** Asks for the fields of a flat object schema. The only mode of 2025-06-18, which has no `mode` member. */
export interface ElicitFormParams extends RequestParams {
  mode?: 'form'
  message: string
  requestedSchema: JsonObject
}

/** Sends the person to a page. Since 2025-11-25; `elicitationId` is gone again in 2026-07-28. */
export interface ElicitUrlParams extends RequestParams {
  mode: 'url'
  message: string
  url: string
  elicitationId?: string
}

export type ElicitParams = ElicitFormParams | ElicitUrlParams

export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel'
  /** Only with `accept` of a form. */
  content?: { [field: string]: string | number | boolean | string[] }
  [key: string]: unknown
}

/** 2025-11-25 only. */
export interface ElicitationCompleteParams extends NotificationParams {
  elicitationId: string
}

export interface Root {
  uri: string
  name?: string
  [key: string]: unknown
}

export interface ListRootsResult {
  roots: Root[]
  [key: string]: unknown
}

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
