/** A failure as a person reads it: what failed, the next step, the code to look up. With --json: one object. */
import { createErrorEnvelope, type SwitchboardError } from '@switchboard/protocol'
import { toSafeText } from '../terminal/safe-text.ts'
import { UsageError } from '../usage-error.ts'
import { type BareContext, printJson } from './command-context.ts'

const STDERR_LINES = 5

export function reportError(context: BareContext, error: SwitchboardError): void {
  const { err, isJson, isVerbose } = context
  if (isJson) {
    printJson(context, { ok: false, error: createErrorEnvelope(error).error })
    return
  }
  const { style } = err
  const [first = '', ...more] = toSafeText(error.message).split('\n')
  err.line(`${style.bold(style.red('error:'))} ${first}`)
  for (const line of more) err.line(`       ${line}`)
  const { stderr } = error.details
  if (Array.isArray(stderr) && stderr.length > 0) {
    err.line(style.dim('  its last output:'))
    for (const line of stderr.slice(-STDERR_LINES)) err.line(style.dim(`    ${toSafeText(String(line))}`))
  }
  if (error.hint !== '') err.line(`${style.cyan('hint:')}  ${toSafeText(error.hint)}`)
  if (!(error instanceof UsageError)) err.line(style.dim(`code:  ${error.code} (docs/errors.md)`))
  if (isVerbose && error.cause instanceof Error) err.line(style.dim(toSafeText(error.cause.stack ?? '')))
}
