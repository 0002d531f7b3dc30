export { ERROR_CATALOGUE, ERROR_CODES, type ErrorCode } from './catalogue.ts'
export { createErrorsDocument } from './document.ts'
export {
  createErrorEnvelope,
  createErrorMeta,
  ERROR_META_KEY,
  type ErrorEnvelope,
  type ErrorMeta,
  type FailedRequest,
  formatFailure,
  formatSentences,
  fromJsonRpcError,
  fromToolErrorResult,
  isErrorCode,
  type ResultMeta,
  readErrorEnvelope,
  readFailureCode,
  readUpstreamRpcError,
  toJsonRpcError,
  toToolErrorResult,
  toToolResult,
} from './envelope.ts'
export { type ErrorCategory, type ErrorEntry, type Executed, HTTP_STATUS } from './error-entry.ts'
export { createHeldError, type HeldDefinition } from './held-error.ts'
export {
  type ErrorReport,
  SwitchboardError,
  type SwitchboardErrorOptions,
  toSwitchboardError,
} from './switchboard-error.ts'
export { toJsonSafe } from './to-json-safe.ts'
