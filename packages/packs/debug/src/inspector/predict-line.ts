import { ForeignFileError, readForeignText } from '@switchboard/base'
import { MAX_UNDERSTOOD_BYTES } from '../workspace/source-text.ts'

export type Prediction = { readonly line: number } | { readonly problem: string }

/** Where a breakpoint will be before its file is loaded: on the line, or on the next one that is not blank or a comment. */
export function predictLine(path: string, line: number): Prediction {
  let text: string
  try {
    text = readForeignText(path, { maxBytes: MAX_UNDERSTOOD_BYTES })
  } catch (error) {
    // A bundle of that size is not looked through; the engine says where the line is once it is loaded.
    if (error instanceof ForeignFileError && error.problem === 'too_large') return { line }
    return { problem: `The file ${path} cannot be read.` }
  }
  const lines = text.split(/\r\n|\n|\r/)
  if (line > lines.length) return { problem: `The file has only ${lines.length} lines.` }
  let last: number | undefined
  for (const candidate of findCodeLines(lines)) {
    if (candidate >= line) return { line: candidate }
    last = candidate
  }
  return {
    problem:
      last === undefined
        ? 'The file has no code.'
        : `There is no code at or after line ${line}. The last is at line ${last}.`,
  }
}

function* findCodeLines(lines: readonly string[]): Generator<number> {
  let inComment = false
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    let rest = line
    if (inComment) {
      const end = rest.indexOf('*/')
      if (end < 0) continue
      inComment = false
      rest = rest.slice(end + 2)
    }
    rest = rest.replace(/^(\s*\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)+/, '').trim()
    if (rest.startsWith('/*')) inComment = true
    else if (rest !== '' && !rest.startsWith('//')) yield index + 1
  }
}
