export { limitCapabilities, URL_ELICITATION_REQUIRED } from './asks.ts'
export { findBatchError, hasBatches, isBatch, splitBatch } from './batch.ts'
export { createInitializeParams, readInitializeParams, readInitializeResult } from './handshake.ts'
export {
  isLegacyMethod,
  LEGACY_CLIENT_NOTIFICATIONS,
  LEGACY_CLIENT_REQUESTS,
  LEGACY_SERVER_NOTIFICATIONS,
  LEGACY_SERVER_REQUESTS,
  RESOURCE_NOT_FOUND,
} from './methods.ts'
