import type { CallReport } from '@switchboard/gateway'
import { readFailureCode } from '@switchboard/protocol/errors'
import { isPackProvider } from '@switchboard/protocol/naming'

/** A pack answers with its code where the gateway fails with one. What a server has in a failed result is its own. */
export function findFailureCode({ provider, error, result }: CallReport): string | undefined {
  return error?.code ?? (isPackProvider(provider) ? readFailureCode(result) : undefined)
}
