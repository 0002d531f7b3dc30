import { ToolError } from '@switchboard/toolkit'
import { countLines } from '../snapshot/read-source-lines.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'

/** Throws E_INVALID_LINE for a line behind the end of the file. */
export function checkLine(file: string, line: number, paths: WorkspacePaths): void {
  const lines = countLines(file)
  if (lines === undefined || line <= lines) return
  throw new ToolError('E_INVALID_LINE', `${paths.show(file)} has ${lines} lines, and so no line ${line}`, {
    details: { line, lines },
  })
}
