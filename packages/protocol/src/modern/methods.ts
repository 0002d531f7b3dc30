/** The methods of 2026-07-28, and what is gone since 2025-11-25. */
export const MODERN_REQUESTS = [
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
] as const

/** Known only where both sides declare the extension `io.modelcontextprotocol/tasks`. */
export const MODERN_TASK_REQUESTS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

/** Only `notifications/cancelled` also goes from client to server (over stdio). */
export const MODERN_NOTIFICATIONS = [
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/prompts/list_changed',
  'notifications/subscriptions/acknowledged',
] as const

/** Legacy methods that a modern peer answers with -32601. */
export const REMOVED_IN_MODERN = [
  'initialize',
  'notifications/initialized',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'notifications/roots/list_changed',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
  'tasks/list',
  'tasks/result',
] as const

export type ModernRequestMethod = (typeof MODERN_REQUESTS)[number] | (typeof MODERN_TASK_REQUESTS)[number]

export function isModernRequest(method: string): method is ModernRequestMethod {
  return (
    (MODERN_REQUESTS as readonly string[]).includes(method) ||
    (MODERN_TASK_REQUESTS as readonly string[]).includes(method)
  )
}
