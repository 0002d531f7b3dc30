/** Where a program is that is loaded by its path: beside a bundle it is a file of its own; else it is where its source is. */
export function findProgram(from: string, { bundled, source }: { bundled: string; source: string }): URL {
  if (from.endsWith('.mjs')) return new URL(`./${bundled}.mjs`, from)
  return new URL(`${source}.${from.endsWith('.ts') ? 'ts' : 'js'}`, from)
}
