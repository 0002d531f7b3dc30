/** A failure as a person reads it: what failed, the next step, the code to look up. With --json: one object. */
import { createErrorEnvelope, type SwitchboardError } from '@switchboard/protocol/errors'
import { maskText } from '@switchboard/telemetry'
import { UsageError } from '../command-line/usage-error.ts'
import { toSafeText } from '../terminal/safe-text.ts'
import { type BareContext, printJson } from './command-context.ts'

const STDERR_LINES = 5

/** Members of an answer are for agents: a person sees what is in them. */
function forTerminal(hint: string): string {
  return hint.replaceAll('`retryAfterMs`', 'a moment').replaceAll(' in `details`', '')
}

export function reportError(context: BareContext, error: SwitchboardError): void {
  const { err, isJson, isVerbose } = context
  if (isJson) {
    printJson(context, createErrorEnvelope(error))
    return
  }
  const { style } = err
  // What was typed may be repeated in it, and a key among that.
  const [first = '', ...more] = toSafeText(maskText(error.message)).split('\n')
  err.line(`${style.bold(style.red('error:'))} ${first}`)
  for (const line of more) err.line(`       ${line}`)
  const { stderr } = error.details
  if (Array.isArray(stderr) && stderr.length > 0) {
    err.line(style.dim('  its last output:'))
    for (const line of stderr.slice(-STDERR_LINES)) err.line(style.dim(`    ${toSafeText(String(line))}`))
  }
  if (error.hint !== '') err.line(`${style.cyan('hint:')}  ${toSafeText(forTerminal(error.hint))}`)
  if (!(error instanceof UsageError)) err.line(style.dim(`code:  ${error.code} (docs/errors.md)`))
  if (isVerbose && error.cause instanceof Error) err.line(style.dim(toSafeText(error.cause.stack ?? '')))
}
