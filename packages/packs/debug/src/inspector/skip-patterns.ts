/** `skipFiles` of a configuration: globs over paths as the patterns of addresses that the runtime steps over. */
import { pathToFileURL } from 'node:url'

/** What is taken out again with `!` is stepped over all the same: the runtime knows no exceptions. */
export function toSkipPatterns(skipFiles: unknown): readonly string[] {
  if (!Array.isArray(skipFiles)) return []
  return skipFiles.flatMap((glob: unknown) =>
    typeof glob !== 'string' || glob.startsWith('!') ? [] : [toPattern(glob)],
  )
}

function toPattern(glob: string): string {
  if (glob.startsWith('<node_internals>')) return '^node:'
  const plain = glob.replaceAll('\\', '/')
  const isAbsolute = plain.startsWith('/') || /^[a-z]:\//i.test(plain)
  const body = plain.replace(/\*\*\/|\*\*|[*?]|[.+^${}()|[\]]/g, (part) => WILD[part] ?? `\\${part}`)
  if (!isAbsolute) return `(?:^|/)${body}$`
  const prefix = pathToFileURL('/').href.replace(/\/(?:[A-Za-z]:\/)?$/, '')
  return `^(?:${prefix}${plain.startsWith('/') ? '' : '/'})?${body}$`
}

const WILD: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
