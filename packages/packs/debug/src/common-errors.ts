import type { ErrorDeclaration } from '@switchboard/toolkit'

/** What the debugger of any language may answer to any tool. */
export const COMMON_ERRORS: readonly ErrorDeclaration[] = [
  {
    code: 'E_UNSUPPORTED_CAPABILITY',
    retryable: false,
    hint: 'The debugger of this language cannot do it; do without it.',
  },
  {
    code: 'E_STALE_REFERENCE',
    retryable: false,
    hint: 'References and frame ids hold until the program goes on: read them anew with debug_stack or variable_list.',
  },
  { code: 'E_NO_STACK', retryable: true, hint: 'debug_threads shows which threads stand.' },
  { code: 'E_BREAKPOINT_INVALID', retryable: false, hint: 'Correct the condition or the message of the breakpoint.' },
  { code: 'E_INVALID_PROGRAM', retryable: false, hint: 'For C, C++ and Rust give the compiled program.' },
  { code: 'E_ADAPTER_MISSING', retryable: false, hint: 'Install it, then call again.' },
  { code: 'E_OPERATION_FAILED', retryable: true, hint: 'The message has what the debugger said.' },
]
