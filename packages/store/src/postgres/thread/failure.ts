/** What went wrong at a PostgreSQL: whether it may be gone the next moment, and what a caller is told. */
import { errorCode, errorMessage } from '@switchboard/base'
import { ThreadFailure } from '../../thread/failure.ts'
import type { FailureKind } from '../../thread/messages.ts'

/** There is no connection, or there is none any more. What was not committed is not there. */
export const lost = (why: string): Error => Object.assign(new Error(why), { code: 'CONNECTION_LOST' })

/** Of the network, and of the client. */
const LOST =
  /^(?:CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ENOENT)$/
/** Of the server: it ends, it starts, it has no place left, or two writers stood in each other's way. */
const PASSING = /^(?:08\w{3}|57P0[1-5]|53300|40001|40P01)$/

/** The same may succeed on another connection, or in a while. */
export const isPassing = (error: unknown): boolean => {
  const code = errorCode(error) ?? ''
  return LOST.test(code) || PASSING.test(code)
}

interface Told {
  readonly kind: FailureKind
  readonly hint?: string
}

/** By what the server calls it: https://www.postgresql.org/docs/15/errcodes-appendix.html */
const TOLD: readonly (readonly [RegExp, Told])[] = [
  [/^28/, { kind: 'unavailable', hint: 'Correct the user and the password in the connection string.' }],
  [
    /^3D000$/,
    { kind: 'unavailable', hint: 'Make the database (createdb), or name another one in the connection string.' },
  ],
  [/^42501$/, { kind: 'unavailable', hint: 'Let the user make and use the schema: GRANT CREATE ON DATABASE … TO …' }],
  [/^25006$/, { kind: 'unavailable', hint: 'It only reads, as a standby does: name the primary server.' }],
  [
    /^(?:ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_)/,
    {
      kind: 'unavailable',
      hint: 'Its certificate is not trusted: name its authority by NODE_EXTRA_CA_CERTS, or its host as the certificate does.',
    },
  ],
  [/^(?:57014|55P03)$/, { kind: 'busy' }],
  [/^53/, { kind: 'full' }],
  [/^54/, { kind: 'too_large' }],
  [/^XX00[12]$/, { kind: 'damaged' }],
]

export function toFailure(error: unknown, place: string): ThreadFailure {
  if (error instanceof ThreadFailure) return error
  const code = errorCode(error) ?? ''
  if (isPassing(error)) {
    const hint = `Start ${place}, or correct the connection string; it is tried again with the next call.`
    return new ThreadFailure('unavailable', `it cannot be reached (${errorMessage(error)})`, { hint })
  }
  const told = TOLD.find(([pattern]) => pattern.test(code))?.[1]
  const hint = told?.hint === undefined ? {} : { hint: told.hint }
  return new ThreadFailure(told?.kind ?? 'other', errorMessage(error), hint)
}

/** Nobody has made it yet. */
export const isMissingTable = (error: unknown): boolean => /^(?:42P01|3F000)$/.test(errorCode(error) ?? '')
export const isPermissionDenied = (error: unknown): boolean => errorCode(error) === '42501'
