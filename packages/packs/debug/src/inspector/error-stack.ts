/** The frames that the text of an error names, for an error whose own stack has gone. */
export interface TextFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

const FRAME = /^\s*at (?:async )?(?:(.+?) \()?((?:file:|node:|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/

export function parseErrorStack(stack: string): TextFrame[] {
  return stack.split('\n').flatMap((line) => {
    const [, functionName = '', url, lineNumber, columnNumber] = FRAME.exec(line) ?? []
    if (url === undefined) return []
    return { functionName, url, lineNumber: Number(lineNumber) - 1, columnNumber: Number(columnNumber) - 1 }
  })
}
