/** Members that modern results have and legacy ones lack. */
import type { JsonObject } from '../json-rpc.ts'

/** `complete` and `input_required` are the protocol's own; an extension may add others (`task`). */
export type ResultType = 'complete' | 'input_required' | (string & {})

/** public: may be shared between users. private: only within one authorization context. */
export type CacheScope = 'public' | 'private'

export interface ModernResult {
  /** Absent from a server of an older revision: complete. */
  resultType?: ResultType
  _meta?: JsonObject
  [key: string]: unknown
}

/** Of server/discover, the lists and resources/read. */
export interface CacheableResult extends ModernResult {
  ttlMs?: number
  cacheScope?: CacheScope
}
