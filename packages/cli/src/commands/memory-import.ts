import { resolve } from 'node:path'
import type { CommandInput } from '../command-line/command-spec.ts'
import type { CommandContext } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { importLines } from '../memory/transfer.ts'

export async function run(context: CommandContext, input: CommandInput): Promise<number> {
  const [file = '-'] = input.positionals
  const project = input.options.text('project')
  const params = project === undefined ? {} : { project: resolve(context.io.cwd, project) }
  return askMemory(context, (ask) =>
    importLines(context, ask, {
      file,
      params,
      command: 'memory import',
      describe: (count) =>
        `Added ${count('added')}, replaced ${count('replaced')}, ${count('same')} were there as they are.${
          count('masked') === 0 ? '' : ` Secrets were masked in ${count('masked')}.`
        }`,
    }),
  )
}
