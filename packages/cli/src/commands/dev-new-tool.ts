import type { CommandInput } from '../command-line/command-spec.ts'
import type { BareContext } from '../context/command-context.ts'
import { runScaffold } from '../dev/run-scaffold.ts'

export function run(context: BareContext, { positionals }: CommandInput): Promise<number> {
  return runScaffold(context, 'tool', positionals, ({ name, files }) => ({
    report: { tool: name },
    works: (bold) => `It works as it is, and is called ${bold(name)}. Next:`,
    steps: [
      `Say in ${files[0]} what it takes, gives and fails with (docs/toolkit.md).`,
      'npm run generate, which checks that and writes the types.',
      `Write it in ${files[1]}, and what it must do in ${files[2]}.`,
      `npm run build, then: switchboard call ${name} '{"message":"hello"}'`,
    ],
  }))
}
