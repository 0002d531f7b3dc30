/**
 * The tasks extension of the modern era. Any `tools/call` may be answered with a task, but only if that request
 * declared the extension. Its shape has nothing to do with the experimental tasks of 2025-11-25 (legacy/tasks.ts).
 */
import type { JsonRpcErrorObject } from '../json-rpc.ts'
import type { RequestParams } from '../messages.ts'
import type { AskRequests, AskResponses } from '../provider.ts'
import type { ModernResult } from './results.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled' | (string & {})

export interface Task {
  taskId: string
  status: TaskStatus
  statusMessage?: string
  createdAt?: string
  lastUpdatedAt?: string
  /** How long it is kept; null: without a limit. */
  ttlMs?: number | null
  pollIntervalMs?: number
  [key: string]: unknown
}

export interface CreateTaskResult extends ModernResult, Task {
  resultType: 'task'
}

/** A task with what its status brings: the questions, the result or the error. */
export interface DetailedTask extends ModernResult, Task {
  inputRequests?: AskRequests
  result?: ModernResult
  error?: JsonRpcErrorObject
}

export interface GetTaskParams extends RequestParams {
  taskId: string
}

export interface UpdateTaskParams extends RequestParams {
  taskId: string
  inputResponses: AskResponses
}

export interface CancelTaskParams extends RequestParams {
  taskId: string
}
