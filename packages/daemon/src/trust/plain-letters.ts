/** Letters of other alphabets that look like those of the Latin one, as they are used to write a name that is taken. */
const LOOKS: Readonly<Record<string, string>> = {
  ...lookLike('аɑα', 'a'),
  ...lookLike('ЬвВβ', 'b'),
  ...lookLike('сСϲ', 'c'),
  ...lookLike('ԁ', 'd'),
  ...lookLike('еЕєε', 'e'),
  ...lookLike('ɡ', 'g'),
  ...lookLike('һНнΗ', 'h'),
  ...lookLike('іІїιΙı', 'i'),
  ...lookLike('јЈ', 'j'),
  ...lookLike('кКκΚ', 'k'),
  ...lookLike('ӏ', 'l'),
  ...lookLike('мМΜ', 'm'),
  ...lookLike('пηΝ', 'n'),
  ...lookLike('оОοΟσ', 'o'),
  ...lookLike('рРρΡ', 'p'),
  ...lookLike('ԛ', 'q'),
  ...lookLike('гѓ', 'r'),
  ...lookLike('ѕЅ', 's'),
  ...lookLike('тТτΤ', 't'),
  ...lookLike('υ', 'u'),
  ...lookLike('ѵν', 'v'),
  ...lookLike('ԝωш', 'w'),
  ...lookLike('хХχΧ', 'x'),
  ...lookLike('уУγΥ', 'y'),
  ...lookLike('ᴢΖ', 'z'),
}

function lookLike(letters: string, latin: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter) => [letter, latin]))
}

/** In lower case, with what looks like a Latin letter as that letter, and nothing that nobody sees. */
export function toPlainLetters(text: string): string {
  const folded = text.normalize('NFKC').replace(/[\p{Cf}\p{Mn}]/gu, '')
  return folded.replace(/[^\p{ASCII}]/gu, (letter) => LOOKS[letter] ?? letter).toLowerCase()
}

/** What a hasty reader sees of a name: `read-File` and `reаd_fi1e` are `readfile`. */
export function toSkeleton(name: string): string {
  return toPlainLetters(name)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('0', 'o')
    .replace(/[1|]/g, 'l')
}

/** Latin letters among those of other alphabets, or others that only look Latin. */
export function isMixed(name: string): boolean {
  return (
    /[a-z]/i.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(name)
  )
}
