/** The mods of a playset, in their order. */
import type { CommandContext } from '../context/command-context.ts'
import { formatPath } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { printTable } from './ask-lens.ts'

/** As the lens answers with it. */
export interface ShownPlayset {
  readonly layers: readonly {
    readonly name: string
    readonly kind: string
    readonly path: string
    readonly version?: string
  }[]
  readonly left: readonly { readonly name: string; readonly reason: string }[]
  readonly warnings: readonly string[]
}

export function printPlayset(context: CommandContext, { layers, left, warnings }: ShownPlayset): void {
  const { err, io } = context
  printTable(
    context,
    [
      { header: '#', align: 'right' },
      { header: 'KIND', priority: 1 },
      { header: 'NAME', shrinksTo: 16 },
      { header: 'VERSION', priority: 0 },
      { header: 'FOLDER', shrinksTo: 16, priority: 2 },
    ],
    layers.map(({ name, kind, path, version = '' }, at) => [
      String(at + 1),
      kind,
      name,
      version,
      formatPath(path, io.env.HOME),
    ]),
  )
  for (const { name, reason } of left) err.line(err.style.dim(`left out: ${toSafeLine(name)} (${reason})`))
  for (const warning of warnings) err.line(err.style.yellow(`warning: ${toSafeLine(warning)}`))
}
