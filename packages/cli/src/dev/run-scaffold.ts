import { type BareContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { readPaths, scaffoldInClone } from './scaffold-in-clone.ts'

export interface Made {
  /** Of what was made. */
  readonly name: string
  /** The tool in it, or the tool itself. */
  readonly tool: string
  readonly files: readonly string[]
  /** Files that were there before. */
  readonly changed: readonly string[]
}

export interface Telling {
  /** Beside where it was made, for a program. */
  readonly report: Readonly<Record<string, unknown>>
  /** The sentence before the steps. */
  works(bold: (text: string) => string): string
  /** What a person does next. */
  readonly steps: readonly string[]
}

/** `switchboard dev new-<kind>`: writes it, says which files that were, and what comes next. */
export async function runScaffold(
  context: BareContext,
  kind: 'pack' | 'tool',
  args: readonly string[],
  tell: (made: Made) => Telling,
): Promise<number> {
  const { cwd, signal } = context.io
  const { root, outcome } = await scaffoldInClone({ kind, command: `dev new-${kind}`, args, cwd, signal })
  const name = String(outcome.name)
  const files = readPaths(outcome.files)
  const changed = readPaths(outcome.changed)
  const { report, works, steps } = tell({ name, tool: String(outcome.tool ?? name), files, changed })
  if (context.isJson) {
    printJson(context, { ...report, root, files, ...(kind === 'pack' ? { changed } : {}) })
    return EXIT.ok
  }
  const { out } = context
  for (const file of files) out.line(`${out.style.green('wrote')} ${file}`)
  for (const file of changed) out.line(`${out.style.green('added it to')} ${file}`)
  out.line()
  out.line(works((text) => out.style.bold(text)))
  for (const [index, step] of steps.entries()) out.line(`  ${index + 1}. ${step}`)
  return EXIT.ok
}
