import type { JsonObject } from '@switchboard/protocol'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { describeProject, formatAge, type MemoryRow } from '../memory/memory-rows.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine, toSafeText } from '../terminal/safe-text.ts'

interface Shown extends MemoryRow {
  readonly text: string
  readonly data: JsonObject
}

/** Shown above already, or how errors are compared. */
const KNOWN: ReadonlySet<string> = new Set(['root', 'normal', 'frames', 'signature', 'type'])
/** What is longer gets a paragraph of its own. */
const SHORT = 60

export async function run(context: CommandContext, { positionals: [id = ''] }: CommandInput): Promise<number> {
  const answer = await askMemory(context, (ask) => ask('show', { id }))
  if (context.isJson) {
    printJson(context, answer)
    return EXIT.ok
  }
  // What the memory pack answers with; see its `person-items.ts`.
  const { item } = answer as unknown as { item: Shown }
  const { out, io } = context
  const { style } = out
  out.line(style.bold(toSafeLine(item.title)))
  const facts: [string, string][] = [
    ['id', item.id],
    ['kind', item.kind],
    ['project', describeProject(item.project, io.env.HOME)],
    ['tags', item.tags.join(' ')],
    ['created', `${item.createdAt} (${formatAge(item.createdAt)} ago)`],
    ['changed', item.updatedAt === item.createdAt ? '' : `${item.updatedAt} (${formatAge(item.updatedAt)} ago)`],
  ]
  for (const [name, value] of facts) if (value !== '') out.line(`${style.dim(name.padEnd(8))} ${toSafeLine(value)}`)
  for (const [name, value] of Object.entries(item.data)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
    if (KNOWN.has(name) || value === item.title || /^(?:|\[\]|\{\}|null)$/.test(text)) continue
    if (text.length <= SHORT && !text.includes('\n')) {
      out.line(`${style.dim(toSafeLine(name).padEnd(8))} ${toSafeLine(text)}`)
      continue
    }
    out.line()
    out.line(style.dim(toSafeLine(name)))
    out.line(toSafeText(text))
  }
  return EXIT.ok
}
