import type { CommandInput } from '../command-line/command-spec.ts'
import type { BareContext } from '../context/command-context.ts'
import { runScaffold } from '../dev/run-scaffold.ts'

export function run(context: BareContext, { positionals }: CommandInput): Promise<number> {
  return runScaffold(context, 'pack', positionals, ({ name, tool }) => ({
    report: { pack: name, tool },
    works: (bold) => `The pack ${bold(name)} works as it is. Next:`,
    steps: [
      `Put it into the list in packages/daemon/src/packs/packs.ts: import('@switchboard/pack-${name}'),`,
      'npm run generate, which writes what follows from the list: schema and documentation.',
      `npm run build, then: switchboard call ${tool} '{"message":"hello"}'`,
      `More tools: switchboard dev new-tool ${name} <thing.action> (docs/packs.md).`,
    ],
  }))
}
