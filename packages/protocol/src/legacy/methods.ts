/** The methods of the revisions up to 2025-11-25, who sends them, and since when. */
import { LEGACY_VERSIONS, type LegacyVersion } from '../versions.ts'

/** The error for a resource that is not there; the modern era has given it up for `invalidParams`. */
export const RESOURCE_NOT_FOUND = -32002

/** Client to server. `ping` goes both ways, as do the tasks methods. */
export const LEGACY_CLIENT_REQUESTS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
] as const

/** Server to client. */
export const LEGACY_SERVER_REQUESTS = [
  'ping',
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
] as const

export const LEGACY_CLIENT_NOTIFICATIONS = [
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
] as const

export const LEGACY_SERVER_NOTIFICATIONS = [
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/prompts/list_changed',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
] as const

/** The revision that brought a method; all others are as old as 2024-11-05. */
const SINCE = new Map<string, LegacyVersion>([
  ['elicitation/create', '2025-06-18'],
  ['notifications/elicitation/complete', '2025-11-25'],
  ['notifications/tasks/status', '2025-11-25'],
  ['tasks/get', '2025-11-25'],
  ['tasks/result', '2025-11-25'],
  ['tasks/list', '2025-11-25'],
  ['tasks/cancel', '2025-11-25'],
])

const METHODS: ReadonlySet<string> = new Set<string>([
  ...LEGACY_CLIENT_REQUESTS,
  ...LEGACY_SERVER_REQUESTS,
  ...LEGACY_CLIENT_NOTIFICATIONS,
  ...LEGACY_SERVER_NOTIFICATIONS,
])

/** Whether a peer of that revision knows the method. */
export function isLegacyMethod(method: string, version: LegacyVersion): boolean {
  if (!METHODS.has(method)) return false
  const since = SINCE.get(method)
  // The versions are listed from the newest to the oldest.
  return since === undefined || LEGACY_VERSIONS.indexOf(version) <= LEGACY_VERSIONS.indexOf(since)
}
