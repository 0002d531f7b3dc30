import { resolve } from 'node:path'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens, readGiven } from '../lens/ask-lens.ts'
import { printPlayset, type ShownPlayset } from '../lens/print-playset.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

export async function run(
  context: CommandContext,
  { options, positionals: [file = ''] }: CommandInput,
): Promise<number> {
  const { out, io } = context
  const folders = Object.entries(
    readGiven(options, { game: 'gamePath', 'user-folder': 'userFolder', workshop: 'workshopFolder' }),
  )
  const answer = await askLens(context, 'playset_add', {
    path: resolve(io.cwd, file),
    ...readGiven(options, { name: 'name', within: 'within' }),
    ...Object.fromEntries(folders.map(([name, path]) => [name, resolve(io.cwd, String(path))])),
  })
  if (context.isJson) {
    printJson(context, answer)
    return EXIT.ok
  }
  // What the lens answers with; see its `playset-commands.ts`.
  const { name, playset, isActive } = answer as unknown as { name: string; playset: ShownPlayset; isActive: boolean }
  printPlayset(context, playset)
  const next = isActive
    ? 'It is the active one.'
    : `switchboard playset use "${toSafeLine(name)}" makes it the active one.`
  out.line(`Added ${toSafeLine(name)}. ${next}`)
  return EXIT.ok
}
