/**
 * Members of an interface that end with their line, where the next one begins with `<`: the grammar of TypeScript reads it as the
 * arguments of the type before it, and loses the whole interface. A semicolon takes the place of one blank before it.
 */
const GENERIC_LINE = /\n[ \t]+(?=<)/g
/** What a type may end with, and no arrow. */
const TYPE_END = /[\w$)\]}'"]$|(?:^|[^=])>$/

export function endSignatures(text: string): string {
  if (text.search(GENERIC_LINE) < 0) return text
  return text.replace(GENERIC_LINE, (blanks, at: number) =>
    TYPE_END.test(codeBefore(text, at)) ? `\n;${blanks.slice(2)}` : blanks,
  )
}

const VARIANCE = /\b(?:in|out)\b/g
/** A parameter, and what may come behind it. */
const PARAMETER = /[ \t]+(out[ \t]+)?[A-Za-z_$][\w$]*[ \t]*(?:extends\b|=[^=>]|[,>]|(\r?\n|$))/y

/** `interface Box<out T>`: the grammar does not know these words yet. Blanks take their place. */
export function blankVariance(text: string): string {
  return text.replace(VARIANCE, (word, at: number) => (isVariance(text, word, at) ? ' '.repeat(word.length) : word))
}

/** In a list of parameters. At the start of a line only `out` is it: one that begins with `in` may go on from the one before. */
function isVariance(text: string, word: string, at: number): boolean {
  PARAMETER.lastIndex = at + word.length
  const [isParameter, out, end] = PARAMETER.exec(text) ?? []
  if (isParameter === undefined) return false
  const isOut = word === 'out' || out !== undefined
  let behind = at
  while (behind > 0 && ' \t\r\n'.includes(text[behind - 1] ?? '')) behind--
  const last = text[behind - 1]
  const isFirst = last === undefined || text.slice(behind, at).includes('\n')
  // An element stands behind no name.
  if (last === '<' && !/[\w$]/.test(text[behind - 2] ?? '')) return false
  if (last === '<' || last === ',') return end === undefined || (isOut && isFirst)
  if (isFirst) return isOut
  return word === 'out' && text.slice(behind - 2, behind) === 'in' && isVariance(text, 'in', behind - 2)
}

/** The end of the last line that holds more than a comment. No comment is looked at twice: a line that asks is no comment itself. */
function codeBefore(text: string, end: number): string {
  let at = end
  while (true) {
    const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    const line = text.slice(start, at).trim()
    if (line !== '' && !/^\/[/*]|^\*|\*\/$/.test(line)) return line
    if (start === 0) return ''
    at = start - 1
  }
}
