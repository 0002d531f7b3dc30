/**
 * Members of an interface that end with their line, where the next one begins with `<`: the grammar of TypeScript reads it as the
 * arguments of the type before it, and loses the whole interface. A semicolon takes the place of one blank before it.
 */
const GENERIC_LINE = /\n[ \t]+(?=<)/g
/** What a type may end with, and no arrow. */
const TYPE_END = /[\w$)\]}'"]$|[^=]>$/
const MAX_COMMENTS = 20

export function endSignatures(text: string): string {
  if (text.search(GENERIC_LINE) < 0) return text
  return text.replace(GENERIC_LINE, (blanks, at: number) =>
    TYPE_END.test(codeBefore(text, at)) ? `\n;${blanks.slice(2)}` : blanks,
  )
}

/** The end of the last line that holds more than a comment. */
function codeBefore(text: string, end: number): string {
  let at = end
  for (let comments = 0; comments < MAX_COMMENTS; comments++) {
    const start = text.lastIndexOf('\n', at - 1) + 1
    const line = text.slice(start, at).trim()
    if (line !== '' && !line.startsWith('//') && !line.startsWith('*') && !line.endsWith('*/')) return line
    if (start === 0) return ''
    at = start - 1
  }
  return ''
}
