/** Words as a search compares them: of identifiers one by one, without endings, and with others that mean the same. */

/** `readFile`, `read_file` and `reading files` meet in the same two words. */
export function splitWords(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap(splitUnspaced)
    .map(stem)
}

/** The words of a query that say something; all of them when none does. */
export function splitQuery(query: string): string[] {
  const words = [...new Set(splitWords(query))]
  const telling = words.filter((word) => !EMPTY_WORDS.has(word))
  return telling.length === 0 ? words : telling
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Scripts that put no space between words are compared by pairs of letters. */
function splitUnspaced(word: string): string[] {
  if (!UNSPACED.test(word)) return [word]
  const letters = [...word]
  return letters.length < 3 ? [word] : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** What is longer is no word, and has no ending. */
const LONGEST_WORD = 40

/** Light: it has to bring forms of one word together, not to find its root. */
function stem(word: string): string {
  if (word.length <= 3 || word.length > LONGEST_WORD || !/^[a-z]+$/.test(word)) return word
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/([^su])s$/, '$1')
  const plain = singular.replace(/(?<=[a-z]*[aeiouy][a-z]+)(?:ions?|ings?|ed|ly)$/, '')
  return (plain === singular ? singular : plain.replace(/([^aeiouls])\1$/, '$1')).replace(/(?<=[a-z]{3})e$/, '')
}

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  splitWords(
    `a an the of to in on at by for from with into about as is are be was do does did how what which who where when why
     can could would should will i me my we our you your it its this that these those there and or not no please want
     need like some any all have has had s using use used tool`,
  ),
)

/** What agents say for what servers call their tools. Words of a line stand for each other. */
const ALIKE = `
  delete remove erase drop destroy unlink trash rm
  create add new make insert generate open
  get fetch retrieve read load show view display open download
  list enumerate ls
  search find lookup locate query grep google
  web internet online
  update edit modify change patch alter
  run execute exec invoke
  start launch begin boot spawn
  stop kill terminate halt end shutdown
  send post publish
  directory folder dir
  repository repo
  issue ticket bug
  message msg
  database db sql
  image picture photo
  rename move mv
  copy duplicate cp
  upload push
  screenshot capture snapshot
  url link website site page webpage
  error exception crash failure
  command shell terminal bash cmd console
  configuration config setting preference
  document doc documentation
  email mail
  meeting event appointment calendar
  environment env
  variable var
  authenticate auth login signin
  summarize summary
  translate convert
  text string content
`

/** By a word, as `splitWords` gives it: others that mean the same. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = createSynonyms()

function createSynonyms(): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const line of ALIKE.trim().split('\n')) {
    const words = splitWords(line)
    for (const word of words) {
      all.set(word, [...(all.get(word) ?? []), ...words.filter((other) => other !== word)])
    }
  }
  // Abbreviations of several words.
  all.set('pr', splitWords('pull request'))
  all.set('mr', splitWords('merge request'))
  all.set('mkdir', splitWords('create directory'))
  return all
}
