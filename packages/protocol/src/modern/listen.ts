/**
 * `subscriptions/listen`: one long request whose stream carries what a server has to announce. Its first message is
 * the acknowledgement, which says what of the filter is honoured; every message names the listen request's id.
 */
import { isJsonObject, isRequestId, type JsonObject, type JsonRpcNotification, type RequestId } from '../json-rpc.ts'
import { META_KEY } from './meta-keys.ts'
import { type RequestEnvelopeMeta, withRequestEnvelope } from './request-envelope.ts'

export const LISTEN_METHOD = 'subscriptions/listen'
export const ACKNOWLEDGED_METHOD = 'notifications/subscriptions/acknowledged'

/** What a listener wants to hear; what is absent is not sent. */
export interface ListenFilter {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  /** URIs whose changes are announced. */
  resourceSubscriptions?: string[]
  /** Of the tasks extension. */
  taskIds?: string[]
  [key: string]: unknown
}

export interface AcknowledgedParams {
  /** The part of the filter that the server honours. */
  notifications: ListenFilter
  _meta: JsonObject
  [key: string]: unknown
}

export function createListenParams(filter: ListenFilter, envelope: RequestEnvelopeMeta): JsonObject {
  return withRequestEnvelope({ notifications: filter }, envelope)
}

/** The filter of a listen request or of its acknowledgement, wrong members left out; undefined when there is none. */
export function readListenFilter(params: unknown): ListenFilter | undefined {
  if (!isJsonObject(params) || !isJsonObject(params.notifications)) return undefined
  const asked = params.notifications
  const filter: ListenFilter = {}
  for (const key of ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const) {
    if (asked[key] === true) filter[key] = true
  }
  for (const key of ['resourceSubscriptions', 'taskIds'] as const) {
    const values = asked[key]
    if (Array.isArray(values)) filter[key] = [...new Set(values.filter((value) => typeof value === 'string'))]
  }
  return filter
}

export function isAcknowledged(message: unknown): message is JsonRpcNotification & { params: AcknowledgedParams } {
  return (
    isJsonObject(message) &&
    message.method === ACKNOWLEDGED_METHOD &&
    isJsonObject(message.params) &&
    isJsonObject(message.params.notifications) &&
    readSubscriptionId(message.params) !== undefined
  )
}

export function createAcknowledgedParams(subscriptionId: RequestId, honoured: ListenFilter): AcknowledgedParams {
  return { _meta: { [META_KEY.subscriptionId]: subscriptionId }, notifications: honoured }
}

/** Marks a notification (or the result that ends the stream) as belonging to that listen request. */
export function withSubscriptionId(params: Readonly<JsonObject> | undefined, subscriptionId: RequestId): JsonObject {
  return withRequestEnvelope(params, { [META_KEY.subscriptionId]: subscriptionId })
}

export function readSubscriptionId(params: unknown): RequestId | undefined {
  if (!isJsonObject(params) || !isJsonObject(params._meta)) return undefined
  const id = params._meta[META_KEY.subscriptionId]
  return isRequestId(id) ? id : undefined
}
