/** Asks the lens, wherever it runs, with a bar while it works. */
import { resolve } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { ProgressDisplay } from '../call/progress-display.ts'
import type { OptionValues } from '../command-line/option-values.ts'
import type { CommandContext } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { type Column, renderTable } from '../terminal/table.ts'

export async function askLens(context: CommandContext, command: string, params: JsonObject): Promise<JsonObject> {
  const { err } = context
  const display = new ProgressDisplay(err)
  const onProgress = (progress: JsonObject): void => {
    if (err.isTTY) display.show(readProgress(progress))
  }
  return askMemory(context, (ask) => ask(command, params, { onProgress }), 'lens').finally(() => display.close())
}

export function readProgress(value: JsonObject): { progress: number; total?: number; message?: string } {
  const { done, total, message } = value
  return {
    progress: typeof done === 'number' ? done : 0,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

/** Those that were given, by the names that the lens has for them. */
export function readGiven(options: OptionValues, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([option, name]) => {
      const text = options.text(option)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

export function readFolder({ io }: CommandContext, options: OptionValues): JsonObject {
  const folder = options.text('in')
  return folder === undefined ? {} : { folder: resolve(io.cwd, folder) }
}

/** Every cell is somebody's text. */
export function printTable(
  { out }: CommandContext,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): void {
  if (rows.length === 0) return
  const table = renderTable(
    columns,
    rows.map((row) => row.map(toSafeLine)),
    { width: out.width, style: out.style },
  )
  for (const line of [table.header, ...table.rows]) out.line(line)
}
