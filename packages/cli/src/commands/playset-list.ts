import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens, printTable } from '../lens/ask-lens.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatPath } from '../terminal/format.ts'

export async function run(context: CommandContext, _input: CommandInput): Promise<number> {
  const answer = await askLens(context, 'playset_list', {})
  if (context.isJson) {
    printJson(context, answer)
    return EXIT.ok
  }
  // What the lens answers with; see its `playset-commands.ts`.
  const { playsets } = answer as unknown as { playsets: readonly { name: string; path: string; isActive: boolean }[] }
  if (playsets.length === 0) context.out.line('No playset was added: switchboard playset add <file> does it.')
  const rows = playsets.map(({ name, path, isActive }) => [
    isActive ? '*' : '',
    name,
    formatPath(path, context.io.env.HOME),
  ])
  printTable(context, [{ header: '' }, { header: 'NAME' }, { header: 'FILE', shrinksTo: 20 }], rows)
  return EXIT.ok
}
