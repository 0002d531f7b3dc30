import type { ExceptionInfo, Place } from '../engine/debug-session.ts'
import type { ExceptionSource } from './read-exception.ts'

/** Where the text is wrong that an exception is about; undefined: it is about no such text, or nobody can say. */
export async function findSyntaxPlace(
  { type }: ExceptionInfo,
  { traits, readTop, evaluate }: ExceptionSource,
): Promise<Place | undefined> {
  const wanted = traits.syntaxPlace?.(type)
  const top = wanted === undefined ? undefined : await readTop()
  if (wanted === undefined || top === undefined) return undefined
  try {
    const [path, line, column] = await Promise.all(
      [wanted.path, wanted.line, wanted.column].map((expression) => evaluate(expression, top.id)),
    )
    const file = /^(["'])(.+)\1$/.exec(path ?? '')?.[2]
    if (file === undefined || !(Number(line) > 0)) return undefined
    return { path: file, line: Number(line), ...(Number(column) > 0 ? { column: Number(column) } : {}) }
  } catch {
    return undefined
  }
}
