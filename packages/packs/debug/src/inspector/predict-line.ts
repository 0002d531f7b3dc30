import { readFileSync } from 'node:fs'

export type Prediction = { readonly line: number } | { readonly problem: string }

/** Where a breakpoint will be before its file is loaded: on the line, or on the next one that is not blank or a comment. */
export function predictLine(path: string, line: number): Prediction {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return { problem: `The file ${path} cannot be read.` }
  }
  const lines = text.split(/\r\n|\n|\r/)
  if (line > lines.length) return { problem: `The file has only ${lines.length} lines.` }
  const code = findCodeLines(lines)
  const next = code.find((candidate) => candidate >= line)
  if (next !== undefined) return { line: next }
  const last = code.at(-1)
  return {
    problem:
      last === undefined
        ? 'The file has no code.'
        : `There is no code at or after line ${line}. The last is at line ${last}.`,
  }
}

function findCodeLines(lines: readonly string[]): number[] {
  const code: number[] = []
  let inComment = false
  for (const [index, line] of lines.entries()) {
    let rest = line
    if (inComment) {
      const end = rest.indexOf('*/')
      if (end < 0) continue
      inComment = false
      rest = rest.slice(end + 2)
    }
    rest = rest.replace(/^(\s*\/\*.*?\*\/)+/, '').trim()
    if (rest.startsWith('/*')) inComment = true
    else if (rest !== '' && !rest.startsWith('//')) code.push(index + 1)
  }
  return code
}
