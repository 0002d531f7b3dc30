/** How much room text takes in a terminal, and making it fit. Colour sequences take none. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with one
const COLOR = /(\x1b\[[0-9;]*m)/
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const ASCII = /^[\x20-\x7e]*$/

/** Made when it is first needed: most text is ASCII, and making it takes longer than a whole --help. */
let segmenter: Intl.Segmenter | undefined

function split(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

export function textWidth(text: string): number {
  let width = 0
  for (const part of text.split(COLOR)) if (!COLOR.test(part)) width += plainWidth(part)
  return width
}

function plainWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const { segment } of split(text)) width += segmentWidth(segment)
  return width
}

function segmentWidth(segment: string): number {
  if (ZERO.test(segment)) return 0
  return WIDE.test(segment) ? 2 : 1
}

/** Cut with an ellipsis when it is too long. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width < 1) return ''
  let left = width - 1
  let fitted = ''
  let isColored = false
  for (const part of text.split(COLOR)) {
    if (COLOR.test(part)) {
      fitted += part
      isColored = true
      continue
    }
    for (const { segment } of split(part)) {
      const needed = segmentWidth(segment)
      if (needed > left) return `${fitted}…${isColored ? '\x1b[0m' : ''}`
      fitted += segment
      left -= needed
    }
  }
  return fitted
}

export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const padding = ' '.repeat(Math.max(0, width - textWidth(text)))
  return align === 'left' ? text + padding : padding + text
}

/** Breaks at blanks; a longer word is cut over several lines. */
export function wrapText(text: string, width: number): string[] {
  const room = Math.max(8, width)
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && textWidth(line) + 1 + textWidth(word) > room) {
        lines.push(line)
        line = ''
      }
      line = line === '' ? word : `${line} ${word}`
      while (textWidth(line) > room) {
        lines.push(line.slice(0, room))
        line = line.slice(room)
      }
    }
    lines.push(line)
  }
  return lines
}
