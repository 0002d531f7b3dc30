import { ERROR_CATALOGUE } from '@switchboard/protocol/errors'
import type { ErrorDeclaration } from './tool-declaration.ts'

/** What may happen to every tool. A tool that declares one of these itself replaces its hint. */
export const BUILT_IN_ERRORS = {
  invalid_arguments: {
    code: 'invalid_arguments',
    retryable: false,
    hint: ERROR_CATALOGUE.invalid_arguments.hint,
  },
  E_TIMEOUT: {
    code: 'E_TIMEOUT',
    retryable: true,
    hint: 'Call again, with a larger timeoutMs where the tool has that parameter.',
  },
  E_CANCELLED: {
    code: 'E_CANCELLED',
    retryable: true,
    hint: 'Nothing to do; call again if it was not meant.',
  },
  E_INTERNAL: {
    code: 'E_INTERNAL',
    retryable: false,
    hint: 'This is a bug in Switchboard: its log has the stack. Report it with the trace id.',
  },
} as const satisfies Readonly<Record<string, ErrorDeclaration>>

export type BuiltInCode = keyof typeof BUILT_IN_ERRORS

export function isBuiltInCode(code: string): code is BuiltInCode {
  return Object.hasOwn(BUILT_IN_ERRORS, code)
}
