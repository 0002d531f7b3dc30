/**
 * Text of servers, agents and files as a terminal may see it. Whatever would move the cursor, set the title, hide or
 * reorder what is printed is shown for what it is: controls, and characters that take no room of their own (turns of
 * direction, joiners, tags). `Terminal` lets nothing else through, wherever a text comes from; `--json` means the same
 * there, since what is shown in place of a character is how JSON writes it.
 */

/** Line breaks and tabs stay, and so does what makes one picture of several: 👩‍💻. */
const UNSAFE =
  /(?![\n\t]|\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** What `createStyle` writes, and how `fitText` ends it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with one
const OWN_COLOR = /(\x1b\[(?:0|1|2|7|22|27|31|32|33|36|39)m)/

export function toSafeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, show)
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

/** The same for a whole output of ours, in which our own colours stay. */
export function toTerminalText(text: string): string {
  if (text.search(UNSAFE) < 0) return text
  return text
    .split(OWN_COLOR)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(UNSAFE, show)))
    .join('')
}

/** `\u202e`; one that takes two units of UTF-16 as JSON writes it, `\udb40\udc41`. */
function show(character: string): string {
  if (character === '\x1b') return '␛'
  return Array.from({ length: character.length }, (_, index) => showUnit(character.charCodeAt(index))).join('')
}

function showUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
