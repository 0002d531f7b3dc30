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

/**
 * Beyond those: letters that are blank, signs that choose between pictures and come in rows, and joiners in plain English,
 * which have nothing to join. In languages that need them they are as they should be.
 */
const SUSPICIOUS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them alone is meant.
  /(?![\u200c-\u200f\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|[\ufe00-\ufe0f][\ufe00-\ufe0f]|(?<=\w)[\u200c-\u200f]/gu

/** Which characters of a text nobody sees, as `U+202E`, each once; for texts that have no reason to hold any. */
export function listHidden(text: string): string[] {
  const found = new Set<string>()
  for (const pattern of [HIDDEN, SUSPICIOUS]) {
    for (const [characters] of text.matchAll(pattern)) {
      for (const character of characters)
        found.add(`U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    }
  }
  return [...found]
}
