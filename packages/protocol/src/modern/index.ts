export { createDiscoverParams, DISCOVER_METHOD, isDiscoverResult, readServerInfo } from './discover.ts'
export {
  createMissingCapabilityError,
  createUnsupportedVersionError,
  isModernError,
  MODERN_ERROR,
  readSupportedVersions,
} from './errors.ts'
export { decodeHeaderValue, encodeHeaderValue } from './header-value.ts'
export { createModernHeaders, validateModernHeaders } from './headers.ts'
export { createInputRetryParams, INPUT_REQUIRED_METHODS, isInputRequired } from './input-required.ts'
export {
  ACKNOWLEDGED_METHOD,
  createAcknowledgedParams,
  createListenParams,
  isAcknowledged,
  LISTEN_METHOD,
  type ListenFilter,
  readListenFilter,
  readSubscriptionId,
  withSubscriptionId,
} from './listen.ts'
export { META_KEY } from './meta-keys.ts'
export { isModernRequest, MODERN_NOTIFICATIONS, MODERN_REQUESTS, REMOVED_IN_MODERN } from './methods.ts'
export { readParamHeaders } from './param-headers.ts'
export {
  createRequestEnvelope,
  isLoggingLevel,
  type RequestEnvelope,
  type RequestEnvelopeMeta,
  type RequestEnvelopeReading,
  readRequestEnvelope,
  withRequestEnvelope,
} from './request-envelope.ts'
export { TASKS_EXTENSION } from './tasks.ts'
