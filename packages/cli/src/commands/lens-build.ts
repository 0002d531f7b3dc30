import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens, readFolder } from '../lens/ask-lens.ts'
import { type IndexFacts, printFacts } from '../lens/index-facts.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCount } from '../terminal/format.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const answer = await askLens(context, 'build', { ...readFolder(context, options), fresh: options.flag('fresh') })
  // What the lens answers with; see its `person-commands.ts`.
  const { build, facts } = answer as unknown as { build: { files: number; errors: number } | null; facts: IndexFacts }
  if (context.isJson) printJson(context, answer)
  else {
    printFacts(context, facts)
    context.out.line(
      build === null || build.files === 0 ? 'Nothing has changed.' : `Read: ${formatCount(build.files, 'file')}.`,
    )
  }
  return facts.about.failed > 0 ? EXIT.failed : EXIT.ok
}
