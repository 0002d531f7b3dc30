import type { ModeConfig } from '@switchboard/daemon/configuration'
import { loadConfig } from '../config/load-config.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { renderTable } from '../terminal/table.ts'

export async function run(context: CommandContext): Promise<number> {
  const { out } = context
  const { modes, gateway } = await loadConfig(context)
  const entries = Object.entries(modes)
  if (context.isJson) {
    const list = entries.map(([name, { writable, instructionsFile, ...mode }]) => ({
      name,
      ...mode,
      ...(writable === undefined ? {} : { writable }),
      ...(instructionsFile === undefined ? {} : { instructionsFile }),
    }))
    printJson(context, { modes: list, modeForHttp: gateway.modeForHttp ?? null })
    return EXIT.ok
  }
  if (entries.length === 0) {
    out.line('No modes are configured: nothing is asked of agents. docs/modes.md tells how to begin.')
    return EXIT.ok
  }
  const table = renderTable(
    [
      { header: 'MODE' },
      { header: 'APPROVAL', priority: 2 },
      { header: 'TOOLS', priority: 1, shrinksTo: 12 },
      { header: 'WRITABLE', priority: 0, shrinksTo: 12 },
      { header: 'DESCRIPTION', shrinksTo: 20 },
    ],
    entries.map(([name, mode]) => [
      name,
      mode.approval === 'person' ? 'a person' : '–',
      describeTools(mode),
      describeRoots(mode),
      mode.description,
    ]),
    { width: out.width, style: out.style },
  )
  for (const line of [table.header, ...table.rows]) out.line(line)
  if (gateway.modeForHttp !== undefined) {
    out.line(out.style.dim(`Callers over HTTP are bound to ${gateway.modeForHttp} (gateway.modeForHttp).`))
  }
  return EXIT.ok
}

function describeTools({ tools: { allow, deny } }: ModeConfig): string {
  const allowed = allow.length === 0 ? 'all' : allow.join(' ')
  return deny.length === 0 ? allowed : `${allowed}, not ${deny.join(' ')}`
}

function describeRoots({ writable }: ModeConfig): string {
  if (writable === undefined) return 'not checked'
  return writable.length === 0 ? 'nowhere' : writable.join(' ')
}
