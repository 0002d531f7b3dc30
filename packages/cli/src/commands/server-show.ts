import type { CommandInput } from '../command-line/command-spec.ts'
import { loadServer } from '../config/load-servers.ts'
import { maskServer } from '../config/mask-server.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { padText } from '../terminal/text-width.ts'

export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const { out } = context
  const settings = maskServer(await loadServer(context, name))
  if (context.isJson) {
    printJson(context, settings)
    return EXIT.ok
  }
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  const widest = Math.max(...entries.map(([key]) => key.length))
  for (const [key, value] of entries) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    out.line(`${out.style.dim(padText(key, widest))}  ${toSafeLine(text)}`)
  }
  return EXIT.ok
}
