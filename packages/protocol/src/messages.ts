/** Parameters and results that both eras share. Open like everything in mcp.ts; an era's folder holds what differs. */
import type { JsonObject, ProgressToken, RequestId } from './json-rpc.ts'
import type { LoggingLevel, Prompt, Resource, ResourceTemplate, Tool } from './mcp.ts'

export interface RequestParams {
  _meta?: { progressToken?: ProgressToken; [key: string]: unknown }
  [key: string]: unknown
}

export interface PagedParams extends RequestParams {
  cursor?: string
}

export interface CallToolParams extends RequestParams {
  name: string
  arguments?: JsonObject
}

export interface ReadResourceParams extends RequestParams {
  uri: string
}

export interface GetPromptParams extends RequestParams {
  name: string
  arguments?: { [name: string]: string }
}

export interface CompleteParams extends RequestParams {
  ref: { type: 'ref/prompt'; name: string; title?: string } | { type: 'ref/resource'; uri: string }
  argument: { name: string; value: string }
  /** Arguments already filled in. Since 2025-06-18. */
  context?: { arguments?: { [name: string]: string } }
}

export interface EmptyResult {
  _meta?: JsonObject
  [key: string]: unknown
}

export interface PagedResult extends EmptyResult {
  nextCursor?: string
}

export interface ListToolsResult extends PagedResult {
  tools: Tool[]
}

export interface ListResourcesResult extends PagedResult {
  resources: Resource[]
}

export interface ListResourceTemplatesResult extends PagedResult {
  resourceTemplates: ResourceTemplate[]
}

export interface ListPromptsResult extends PagedResult {
  prompts: Prompt[]
}

export interface NotificationParams {
  _meta?: JsonObject
  [key: string]: unknown
}

export interface CancelledParams extends NotificationParams {
  /** Absent only in a 2025-11-25 peer that cancels a task some other way. */
  requestId?: RequestId
  reason?: string
}

export interface ProgressParams extends NotificationParams {
  progressToken: ProgressToken
  progress: number
  total?: number
  /** Since 2025-03-26. */
  message?: string
}

export interface LogMessageParams extends NotificationParams {
  level: LoggingLevel
  logger?: string
  data: unknown
}

export interface ResourceUpdatedParams extends NotificationParams {
  uri: string
}
