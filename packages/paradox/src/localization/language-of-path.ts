const EXTENSION = '.yml'
const MARK = '_l_'

/** `english` of `name_l_english.yml`; undefined: the game takes no texts from a file of this name. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const at = name.lastIndexOf(MARK)
  if (at < 0 || !name.endsWith(EXTENSION)) return undefined
  const language = name.slice(at + MARK.length, -EXTENSION.length)
  return /^\w+$/.test(language) ? language : undefined
}
