/** Rule P9: `@name` is known in its own file only, so what moves to another file takes along the ones that it uses. */
import type { PlaysetDefinition } from '../conflicts/conflict.ts'

/** The lines to put above, and the names that mean something else in each of the files. */
export function carryVariables(
  texts: readonly {
    readonly text: string
    readonly variables: readonly PlaysetDefinition[]
    readonly file: Uint8Array
  }[],
): { readonly lines: readonly string[]; readonly clashing: readonly string[] } {
  const known = new Map<string, string>()
  const clashing = new Set<string>()
  for (const { text, variables, file } of texts) {
    const pending = wordsOf(text)
    for (const word of pending) {
      const definition = variables.find(({ name }) => name === `@${word}`)
      if (definition === undefined) continue
      const line = Buffer.from(file.subarray(definition.start, definition.end)).toString()
      const other = known.get(definition.name)
      if (other !== undefined && other !== line) clashing.add(definition.name)
      if (other !== undefined) continue
      known.set(definition.name, line)
      // What one is made of may be another: names without their mark inside of @[ … ].
      for (const inner of wordsOf(line)) pending.add(inner)
    }
  }
  return { lines: [...known.values()], clashing: [...clashing] }
}

/** Names that may be variables: with their mark, or in a calculation. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const [, name] of text.matchAll(/@(\w+)/g)) if (name !== undefined) words.add(name)
  for (const [calculation] of text.matchAll(/@\\?\[[^\]\n]{0,500}/g)) {
    for (const [name] of calculation.matchAll(/[A-Za-z_]\w*/g)) words.add(name)
  }
  return words
}
