/** The one table of exit codes, and the one switch from errors to them. */
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { Interruption } from './io.ts'

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  configuration: 64,
  unavailable: 69,
  tryAgain: 75,
  lockHeld: 78,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export const EXIT_CODES: readonly { readonly code: ExitCode; readonly meaning: string }[] = [
  { code: EXIT.ok, meaning: 'It worked.' },
  {
    code: EXIT.failed,
    meaning: 'It failed: the tool said so, the call timed out, or the server answered with an error.',
  },
  {
    code: EXIT.usage,
    meaning: 'The command line is wrong: an unknown command, option, tool or server, or arguments that do not fit.',
  },
  { code: EXIT.configuration, meaning: 'The configuration is wrong; the message names file, line and key.' },
  {
    code: EXIT.unavailable,
    meaning: 'The server is not there: not installed, disabled, not to be started, or no daemon.',
  },
  { code: EXIT.tryAgain, meaning: 'Not now: the server is being restarted, or the queue was full. Try again later.' },
  { code: EXIT.lockHeld, meaning: 'Another Switchboard holds the lock.' },
  { code: EXIT.interrupted, meaning: 'Ended by Ctrl-C (SIGTERM: 143, SIGHUP: 129).' },
]

export function exitCodeOf(error: SwitchboardError): number {
  switch (error.code) {
    case 'invalid_configuration':
      return EXIT.configuration
    case 'unknown_tool':
    case 'unknown_server':
    case 'unknown_resource':
    case 'unknown_prompt':
    case 'unknown_task':
    case 'unknown_method':
    case 'unknown_profile':
    case 'unknown_mode':
    case 'invalid_arguments':
    case 'store_too_large':
      return EXIT.usage
    case 'restart_in_progress':
    case 'queue_timeout':
    case 'rate_limited':
    case 'daemon_restarted':
    case 'store_busy':
      return EXIT.tryAgain
    case 'restart_failed':
    case 'server_exited':
      return error.retryable && error.retryAfterMs !== null ? EXIT.tryAgain : EXIT.unavailable
    case 'pack_failed':
    case 'not_installed':
    case 'server_stopped':
    case 'server_disabled':
    case 'server_misconfigured':
    case 'definition_held':
    case 'shutting_down':
    case 'unauthorized_upstream':
    case 'login_failed':
    case 'secret_unreadable':
    case 'daemon_unavailable':
    case 'index_unavailable':
    case 'store_full':
    case 'store_damaged':
    case 'store_newer':
    case 'store_unavailable':
    case 'store_uncertain':
    case 'store_no_vectors':
      return EXIT.unavailable
    case 'lock_held':
      return EXIT.lockHeld
    case 'cancelled':
      return EXIT.interrupted
    case 'timeout':
    case 'check_timeout':
    case 'message_too_large':
    case 'message_too_deep':
    case 'bad_response':
    case 'upstream_error':
    case 'ask_unattributable':
    case 'ask_unsupported':
    case 'ask_rounds_exceeded':
    case 'invalid_request':
    case 'request_too_large':
    case 'unauthorized':
    case 'caller_unknown':
    case 'forbidden':
    case 'profile_denied':
    case 'unknown_session':
    case 'input_expired':
    case 'mode_required':
    case 'mode_denied':
    case 'approval_denied':
    case 'internal':
      return EXIT.failed
  }
}

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** Output that nobody reads any more is no failure. */
export function exitCodeOfInterruption(interruption: Interruption): number {
  if (interruption.kind === 'signal') return 128 + SIGNAL_NUMBERS[interruption.signal]
  return interruption.kind === 'broken_pipe' ? EXIT.ok : EXIT.failed
}
