/** A text that could not be compiled, as compilers show it: file and line, the line itself, and a caret. */
import type { Place } from '../engine/debug-session.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { readSourceLine } from './read-source-lines.ts'

/** Shown of a long line, around the caret. */
const MAX_LINE = 100

export function describePlace({ path, line, column = 1 }: Place, paths: Pick<WorkspacePaths, 'show'>): string {
  const shown = `${paths.show(path)}:${line}`
  const source = readSourceLine(path, line)
  if (source === undefined) return shown
  const indent = source.length - source.trimStart().length
  const start = Math.max(indent, column - MAX_LINE / 2)
  const text = source.slice(start, start + MAX_LINE).trimEnd()
  const before = source.slice(start, column - 1).replace(/[^\t]/g, ' ')
  return `${shown}\n${text}\n${before}^`
}
