import { type CallToolResult, type JsonObject, SwitchboardError } from '@switchboard/protocol'
import type { Backend, BackendCallOptions } from '../backend/backend.ts'
import { runWithBackend } from '../backend/run-with-backend.ts'
import { Asker } from '../call/asker.ts'
import { explainEndedSession } from '../call/ended-session.ts'
import { printResult } from '../call/print-result.ts'
import { ProgressDisplay } from '../call/progress-display.ts'
import { applyPairs, readJsonArgument } from '../call/read-call-arguments.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { parseDuration } from '../command-line/parse-duration.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../exit-code.ts'
import { Spinner } from '../terminal/spinner.ts'

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const [tool = '', json] = positionals
  const timeoutText = options.text('timeout')
  const timeout = timeoutText === undefined ? undefined : parseDuration(timeoutText, 'timeout', 'call')
  const profile = options.text('profile')
  const limits = { ...(timeout === undefined ? {} : { timeout }), ...(profile === undefined ? {} : { profile }) }
  const given = await readJsonArgument(json, context.io.stdin)
  const result = await runWithBackend(context, { isAlone: options.flag('no-daemon') }, async (backend) => {
    const args = await prepareArguments(context, backend, tool, given, options.list('arg'))
    return callTool(context, backend, tool, args, limits)
  })
  if (context.isJson) printJson(context, result)
  else await printResult(context, result, { output: options.text('output'), isRaw: options.flag('raw') })
  const ended = explainEndedSession(result)
  if (ended !== undefined) context.err.line(context.err.style.dim(ended))
  return result.isError === true ? EXIT.failed : EXIT.ok
}

/** The tool is looked up first: its server is started, and its schema gives the pairs their types. */
async function prepareArguments(
  context: CommandContext,
  backend: Backend,
  tool: string,
  given: JsonObject,
  pairs: readonly string[],
): Promise<JsonObject> {
  const spinner = new Spinner(context.err, () => `looking for ${tool} …`)
  try {
    const { inputSchema } = await backend.findTool(tool, context.io.signal)
    return applyPairs(given, pairs, inputSchema)
  } finally {
    spinner.stop()
  }
}

async function callTool(
  context: CommandContext,
  backend: Backend,
  tool: string,
  args: JsonObject,
  limits: Pick<BackendCallOptions, 'timeout' | 'profile'>,
): Promise<CallToolResult> {
  const { io, err, isVerbose } = context
  const display = new ProgressDisplay(err)
  const asker = new Asker(context, display)
  try {
    return await backend.call(tool, args, {
      signal: io.signal,
      ...limits,
      onProgress: (progress) => display.show(progress),
      ...(isVerbose ? { onLog: (entry) => display.log(entry) } : {}),
      ask: (requests) => asker.answer(requests),
    })
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error
    if (error.code === 'invalid_arguments') {
      const { message, details } = error
      const hint = `switchboard help ${tool} shows what it takes.`
      throw new SwitchboardError('invalid_arguments', message, { hint, details, cause: error })
    }
    if (error.code !== 'cancelled') throw error
    const what = error.executed === false ? 'it had not been sent to the server' : 'the server was told'
    throw new SwitchboardError('cancelled', `${tool}: ${what}`, { executed: error.executed, cause: error })
  } finally {
    asker.close()
    display.close()
  }
}
