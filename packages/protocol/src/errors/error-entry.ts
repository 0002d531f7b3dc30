/** What there is to say of an error, besides its message. */

export type ErrorCategory =
  | 'validation'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition'
  | 'rate_limited'
  | 'cancelled'
  | 'internal'
  | 'unavailable'
  | 'timeout'

export const HTTP_STATUS: Readonly<Record<ErrorCategory, number>> = {
  validation: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 412,
  rate_limited: 429,
  cancelled: 499,
  internal: 500,
  unavailable: 503,
  timeout: 504,
}

export type ErrorFamily = 'caller' | 'upstream' | 'ours'

/** Whether the tool ran. `unknown`: it was sent, and nobody can say how far it came. */
export type Executed = boolean | 'unknown'

export interface ErrorEntry {
  readonly category: ErrorCategory
  readonly family: ErrorFamily
  /** The JSON-RPC code when it travels as a protocol error. */
  readonly rpcCode: number
  readonly executed: Executed
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
  /** When it happens, for the documentation. */
  readonly when: string
  /** The next step for whoever reads the error. */
  readonly hint: string
}
