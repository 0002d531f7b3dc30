/**
 * The category of a code that a pack declares follows from its name, so that one code never has two. Codes of
 * Switchboard's own catalogue have theirs there.
 */
import { ERROR_CATALOGUE, type ErrorCategory, isErrorCode } from '@switchboard/protocol/errors'

/** The first that fits; none: the state is not one in which the tool can do its work. */
const RULES: readonly (readonly [RegExp, ErrorCategory])[] = [
  [/^E_(?:.+_)?NOT_FOUND$/, 'not_found'],
  [/^E_INVALID_|_INVALID$|^E_UNSUPPORTED_|^E_NOT_EXPANDABLE$/, 'validation'],
  [/^E_OUTSIDE_/, 'forbidden'],
  [/_EXISTS$|^E_STALE_/, 'conflict'],
  [/^E_(?:.+_)?TIMEOUT$/, 'timeout'],
  [/^E_CANCELLED$/, 'cancelled'],
  [/^E_INTERNAL$/, 'internal'],
  [/^E_CAPACITY$|_(?:FAILED|MISSING|UNAVAILABLE)$/, 'unavailable'],
]

export function categoryOf(code: string): ErrorCategory {
  if (isErrorCode(code)) return ERROR_CATALOGUE[code].category
  return RULES.find(([pattern]) => pattern.test(code))?.[1] ?? 'precondition'
}
