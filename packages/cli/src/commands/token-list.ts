import { TokenStore } from '@switchboard/gateway'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { renderTable } from '../terminal/table.ts'

export async function run(context: CommandContext): Promise<number> {
  const tokens = await new TokenStore(context.home.tokens).list()
  if (context.isJson) {
    printJson(context, { tokens })
    return EXIT.ok
  }
  if (tokens.length === 0) {
    context.out.line('No tokens. Create one with: switchboard token create <name>')
    return EXIT.ok
  }
  const day = (time: number | undefined): string =>
    time === undefined ? '–' : new Date(time).toISOString().slice(0, 16).replace('T', ' ')
  const rows = tokens.map(({ id, name, profile, created, lastUsed, expires }) => [
    id,
    name,
    profile ?? 'any',
    day(created),
    day(lastUsed),
    expires === undefined ? 'never' : day(expires),
  ])
  for (const line of renderTokenTable(context, rows)) context.out.line(line)
  return EXIT.ok
}

function renderTokenTable({ out }: CommandContext, rows: readonly string[][]): string[] {
  const headers = ['ID', 'NAME', 'PROFILE', 'CREATED', 'LAST USED', 'EXPIRES']
  const table = renderTable(
    headers.map((header) => ({ header })),
    rows,
    { width: out.width, style: out.style },
  )
  return [table.header, ...table.rows]
}
