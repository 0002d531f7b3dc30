/** What the lens answers with about a folder; see `packs/lens/src/thread/reader/status.ts`. */
import type { CommandContext } from '../context/command-context.ts'
import { formatBytes, formatPath } from '../terminal/format.ts'
import { printTable } from './ask-lens.ts'

export interface IndexFacts {
  readonly about: {
    readonly generation: number
    readonly completeness: string
    readonly waiting: number
    readonly failed: number
  }
  readonly roots: readonly {
    readonly path: string
    readonly state: string
    readonly files: number
    readonly bytes: number
    readonly symbols: number
    readonly refs: number
    readonly problems: number
  }[]
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

export function printFacts(context: CommandContext, { about, roots, failed }: IndexFacts): void {
  const { out, err, io } = context
  const right = { align: 'right' } as const
  printTable(
    context,
    [
      { header: 'FOLDER', shrinksTo: 20 },
      { header: 'FILES', ...right },
      { header: 'SIZE', ...right, priority: 1 },
      { header: 'SYMBOLS', ...right },
      { header: 'REFERENCES', ...right, priority: 0 },
      { header: 'PROBLEMS', ...right },
    ],
    roots.map(({ path, files, bytes, symbols, refs, problems }) => [
      formatPath(path, io.env.HOME),
      ...[String(files), formatBytes(bytes), String(symbols), String(refs), String(problems)],
    ]),
  )
  const waiting = about.waiting === 0 ? '' : `, ${about.waiting} to do`
  out.line(out.style.dim(`generation ${about.generation}, ${about.completeness.replace('_', ' ')}${waiting}`))
  for (const { path, reason } of failed) err.line(err.style.yellow(`could not be read: ${path}: ${reason}`))
}
