// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** Text of a server as a terminal may see it: it must not move the cursor, set the title or hide what was printed. */
export function toSafeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL, (character) => (character === '\x1b' ? '␛' : '�'))
}

export function toSafeLine(text: string): string {
  return toSafeText(text)
    .replace(/[\n\t]+/g, ' ')
    .trim()
}

/** The first line that says something. */
export function firstLine(text: string): string {
  return toSafeLine(text.split('\n').find((line) => line.trim() !== '') ?? '')
}
