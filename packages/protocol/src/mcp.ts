/**
 * What the revisions have in common. Every type is open (`[key: string]: unknown`): a member that a later revision or
 * an extension adds passes through us untouched, so nothing here is ever used to strip one.
 */
import type { JsonObject } from './json-rpc.ts'

export interface Implementation {
  name: string
  version: string
  title?: string
  [key: string]: unknown
}

export interface ToolAnnotations {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
  [key: string]: unknown
}

export interface Tool {
  name: string
  title?: string
  description?: string
  inputSchema: JsonObject
  outputSchema?: JsonObject
  annotations?: ToolAnnotations
  _meta?: JsonObject
  [key: string]: unknown
}

export interface Resource {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  _meta?: JsonObject
  [key: string]: unknown
}

export interface ResourceTemplate {
  uriTemplate: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  _meta?: JsonObject
  [key: string]: unknown
}

export interface PromptArgument {
  name: string
  description?: string
  required?: boolean
  [key: string]: unknown
}

export interface Prompt {
  name: string
  title?: string
  description?: string
  arguments?: PromptArgument[]
  _meta?: JsonObject
  [key: string]: unknown
}

export interface TextContent {
  type: 'text'
  text: string
  [key: string]: unknown
}

export interface BinaryContent {
  type: 'image' | 'audio'
  data: string
  mimeType: string
  [key: string]: unknown
}

export interface ResourceLink extends Resource {
  type: 'resource_link'
}

export interface EmbeddedResource {
  type: 'resource'
  resource: ResourceContents
  [key: string]: unknown
}

export interface ResourceContents {
  uri: string
  mimeType?: string
  text?: string
  blob?: string
  [key: string]: unknown
}

/** A block of a type nobody has named yet still passes through. */
export type ContentBlock =
  | TextContent
  | BinaryContent
  | ResourceLink
  | EmbeddedResource
  | { type: string; [key: string]: unknown }

export interface CallToolResult {
  content: ContentBlock[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: JsonObject
  [key: string]: unknown
}

export interface ReadResourceResult {
  contents: ResourceContents[]
  [key: string]: unknown
}

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: ContentBlock
  [key: string]: unknown
}

export interface GetPromptResult {
  description?: string
  messages: PromptMessage[]
  [key: string]: unknown
}

export interface CompleteResult {
  completion: { values: string[]; total?: number; hasMore?: boolean; [key: string]: unknown }
  [key: string]: unknown
}

export interface ClientCapabilities {
  sampling?: JsonObject
  elicitation?: JsonObject
  roots?: { listChanged?: boolean; [key: string]: unknown }
  extensions?: JsonObject
  experimental?: JsonObject
  [key: string]: unknown
}

export interface ServerCapabilities {
  tools?: { listChanged?: boolean; [key: string]: unknown }
  resources?: { subscribe?: boolean; listChanged?: boolean; [key: string]: unknown }
  prompts?: { listChanged?: boolean; [key: string]: unknown }
  completions?: JsonObject
  logging?: JsonObject
  extensions?: JsonObject
  [key: string]: unknown
}

/** From the least to the most severe, as RFC 5424 orders them. */
export const LOGGING_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
export type LoggingLevel = (typeof LOGGING_LEVELS)[number]
