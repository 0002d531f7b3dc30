import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CallToolResult } from '@switchboard/protocol/mcp'
import type { Backend, BackendCallOptions, BackendTool } from '../backend/backend.ts'
import { runWithBackend } from '../backend/run-with-backend.ts'
import { Asker } from '../call/asker.ts'
import { printResult } from '../call/print-result.ts'
import { ProgressDisplay } from '../call/progress-display.ts'
import { applyPairs, readJsonArgument } from '../call/read-call-arguments.ts'
import { type CallWords, readCallWords } from '../call/read-call-words.ts'
import { WaitNote } from '../call/wait-note.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { readDuration } from '../command-line/read-duration.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const words = readCallWords(positionals)
  const timeoutText = options.text('timeout')
  const timeout = timeoutText === undefined ? undefined : readDuration(timeoutText, 'timeout', 'call')
  const profile = options.text('profile')
  const limits = { ...(timeout === undefined ? {} : { timeout }), ...(profile === undefined ? {} : { profile }) }
  const given = await readJsonArgument(words.json, context.io.stdin)
  const result = await runWithBackend(context, { isAlone: options.flag('no-daemon') }, async (backend) => {
    const tool = await findTool(context, backend, words)
    const args = applyPairs(given, [...words.pairs, ...options.list('arg')], tool.inputSchema)
    return callTool(context, backend, tool, args, limits)
  })
  if (context.isJson) printJson(context, result)
  else await printResult(context, result, { output: options.text('output'), isRaw: options.flag('raw') })
  const ended = await explainEnd(result)
  if (ended !== undefined) context.err.line(context.err.style.dim(`note:  ${ended}`))
  return result.isError === true ? EXIT.failed : EXIT.ok
}

/** Only an answer of ours can speak of something that ends with the command. */
async function explainEnd({ structuredContent }: CallToolResult): Promise<string | undefined> {
  if (!isJsonObject(structuredContent) || structuredContent.ok !== true) return undefined
  const packs = await import('@switchboard/daemon/tool-help')
  return packs.explainEnd(structuredContent)
}

/** It is looked up first: its server is started, and its schema gives the pairs their types. */
async function findTool(context: CommandContext, backend: Backend, { tool, server }: CallWords): Promise<BackendTool> {
  const { signal } = context.io
  const wanted = server === undefined ? {} : { server }
  const note = new WaitNote(context, backend, { tool, ...wanted, isFound: false })
  try {
    return await backend.findTool(tool, { signal, ...wanted })
  } catch (error) {
    if (server === undefined || !(error instanceof SwitchboardError) || error.code !== 'unknown_server') throw error
    // Two words may also be a tool and an argument that is none.
    throw new UsageError(`"${tool}" is no tool of a server "${server}", and no argument either.`, {
      command: 'call',
      hint: `${error.hint === '' ? '' : `${error.hint} `}Arguments are written key=value, or all of them as one JSON object.`,
    })
  } finally {
    note.stop()
  }
}

async function callTool(
  context: CommandContext,
  backend: Backend,
  { name: tool, server }: BackendTool,
  args: JsonObject,
  limits: Pick<BackendCallOptions, 'timeout' | 'profile'>,
): Promise<CallToolResult> {
  const { io, err, isVerbose } = context
  const display = new ProgressDisplay(err)
  const asker = new Asker(context, display)
  const note = new WaitNote(context, backend, { tool, server, isFound: true })
  try {
    return await backend.call(tool, args, {
      signal: io.signal,
      ...limits,
      onProgress: (progress) => {
        note.stop()
        display.show(progress)
      },
      ...(isVerbose ? { onLog: (entry) => note.aside(() => display.log(entry)) } : {}),
      ask: (requests) => {
        note.stop()
        return asker.answer(requests)
      },
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
    note.stop()
    asker.close()
    display.close()
  }
}
