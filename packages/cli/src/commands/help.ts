import { nearestName } from '@switchboard/base'
import { type CallWords, readCallWords } from '../call/read-call-words.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { COMMANDS } from '../command-line/commands.ts'
import { isGroup } from '../command-line/parse-command-line.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type BareContext, printJson } from '../context/command-context.ts'
import { formatHelp } from '../help/format-help.ts'
import { EXIT } from '../program/exit-code.ts'

/** Of a command; else of a tool. `help call <tool>` is always about the tool. */
export async function run(context: BareContext, { options, positionals }: CommandInput): Promise<number> {
  const [first, second] = positionals
  if (first === 'call' && second !== undefined) {
    return showTool(context, options, readCallWords(positionals.slice(1)))
  }
  const topic = positionals.length === 0 ? undefined : positionals.join(' ')
  const names = COMMANDS.map(({ name }) => name)
  if (topic === undefined || names.includes(topic) || isGroup(topic, COMMANDS)) {
    context.out.write(formatHelp(topic, context.out))
    return EXIT.ok
  }
  const nearest = nearestName(topic, names)
  // No server has to be started to tell that somebody meant a command.
  const isMistyped = nearest !== undefined && /^[a-z]+$/.test(topic)
  if (!isMistyped && second === undefined) return showTool(context, options, { tool: topic, pairs: [] })
  throw new UsageError(`There is no command "${topic}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`, {
    hint: 'Run switchboard --help to see the commands.',
  })
}

async function showTool(context: BareContext, options: CommandInput['options'], words: CallWords): Promise<number> {
  const { findToolHelp } = await import('../help/find-tool-help.ts')
  const { help, origin } = await findToolHelp(context, options, words)
  if (context.isJson) printJson(context, { [origin.kind]: origin.name, ...help })
  else {
    const { formatToolHelp } = await import('../help/format-tool-help.ts')
    context.out.write(formatToolHelp(help, origin, context.out))
  }
  return EXIT.ok
}
