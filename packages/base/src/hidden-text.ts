/**
 * What a person does not see in a text and a model reads all the same: turns of direction, tags, marks without width, controls.
 * A text that passes from one agent to another could carry orders in them, so each is written out as JSON writes it. What
 * languages need (joiners, marks of direction) and what makes one picture of several stays.
 */
const HIDDEN =
  /(?![\n\r\t])[\p{Cc}\p{Cs}\u{ad}\u{200b}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e0fff}]/gu

export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
