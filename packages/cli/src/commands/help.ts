import { nearestName } from '@switchboard/protocol'
import type { CommandInput } from '../command-line/command-spec.ts'
import { COMMANDS } from '../command-line/commands.ts'
import { isGroup } from '../command-line/parse-command-line.ts'
import type { BareContext } from '../context/command-context.ts'
import { EXIT } from '../exit-code.ts'
import { formatHelp } from '../help/format-help.ts'
import { UsageError } from '../usage-error.ts'

export async function run(context: BareContext, { positionals }: CommandInput): Promise<number> {
  const topic = positionals.length === 0 ? undefined : positionals.join(' ')
  const names = COMMANDS.map(({ name }) => name)
  if (topic !== undefined && !names.includes(topic) && !isGroup(topic, COMMANDS)) {
    const nearest = nearestName(topic, names)
    throw new UsageError(`There is no command "${topic}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`, {
      hint: 'Run switchboard --help to see the commands.',
    })
  }
  context.out.write(formatHelp(topic, context.out))
  return EXIT.ok
}
