/** What a byte may begin or end. Every byte from 0x80 on belongs to a word: names in other alphabets are names. */

export const WORD = 0
export const BLANK = 1
export const COMMENT = 2
export const OPEN = 3
export const CLOSE = 4
export const OPERATOR = 5
export const QUOTE = 6
/** `!` and `?`: of a word, but for the one before `=`. */
export const MARK = 7
/** `[`: after `@` it begins a calculation, which holds blanks; after another `[` a block of EU4's and Stellaris' parameters. */
export const BRACKET = 8
/** `]`: ends a word where such a block is open. */
export const BRACKET_END = 9

/** 0x1A ends the file for the game, as it once did for DOS. */
export const END_OF_FILE = 0x1a
export const NEWLINE = 0x0a
export const AT = 0x40
export const EQUALS = 0x3d
export const BACKSLASH = 0x5c
export const QUOTATION = 0x22
export const SQUARE = 0x5b
export const SQUARE_END = 0x5d
export const EXCLAMATION = 0x21
export const LESS = 0x3c
export const GREATER = 0x3e

export const CLASS = new Uint8Array(256)
const CLASSES: readonly (readonly [number, string])[] = [
  [BLANK, ' \t\r\n\v\f;'],
  [COMMENT, '#'],
  [OPEN, '{'],
  [CLOSE, '}'],
  [OPERATOR, '=<>'],
  [QUOTE, '"'],
  [MARK, '!?'],
  [BRACKET, '['],
  [BRACKET_END, ']'],
]
for (const [kind, characters] of CLASSES) {
  for (const character of characters) CLASS[character.charCodeAt(0)] = kind
}
