/** The experimental tasks of 2025-11-25: the client asks for one with `task`, and fetches its result by polling. */
import type { EmptyResult, NotificationParams, PagedResult, RequestParams } from '../messages.ts'

export interface LegacyTask {
  taskId: string
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  statusMessage?: string
  createdAt: string
  lastUpdatedAt?: string
  /** Milliseconds it is kept; null: without a limit. */
  ttl: number | null
  pollInterval?: number
  [key: string]: unknown
}

/** On `tools/call`, `sampling/createMessage` and `elicitation/create`. */
export interface TaskAugmentedParams extends RequestParams {
  task?: { ttl?: number; [key: string]: unknown }
}

export interface CreateLegacyTaskResult extends EmptyResult {
  task: LegacyTask
}

export interface LegacyTaskParams extends RequestParams {
  taskId: string
}

export interface ListLegacyTasksResult extends PagedResult {
  tasks: LegacyTask[]
}

export interface LegacyTaskStatusParams extends NotificationParams, LegacyTask {}
