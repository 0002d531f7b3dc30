/** What the text of an error tells: its message, and its frames, for an error whose own stack has gone. */
export interface TextFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** A longer one names no place, and would take long to read. */
const MAX_LINE = 2_000
const FRAME = /^\s*at (?:async )?(?:(.+?) \()?((?:file:|node:|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/

export function parseErrorStack(stack: string): TextFrame[] {
  return stack.split('\n').flatMap((line) => {
    if (line.length > MAX_LINE) return []
    const [, functionName = '', url, lineNumber, columnNumber] = FRAME.exec(line) ?? []
    if (url === undefined) return []
    return { functionName, url, lineNumber: Number(lineNumber) - 1, columnNumber: Number(columnNumber) - 1 }
  })
}

/** All lines of it: an assertion tells what differs in the later ones. */
export function readErrorMessage(description: string, type: string): string {
  const [text = ''] = description.split(/\n {4}at /, 1)
  // Before its name the runtime may have put the place; behind the name, a code.
  const start = text.split('\n').findIndex((line) => line.startsWith(`${type}:`) || line.startsWith(`${type} [`))
  const own = start < 0 ? text : text.split('\n').slice(start).join('\n')
  const colon = start < 0 ? -1 : own.indexOf(': ')
  return colon < 0 ? own : own.slice(colon + 2)
}
