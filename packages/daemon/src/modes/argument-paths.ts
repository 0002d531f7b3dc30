/**
 * Which texts among a call's arguments name a place on disk. Nobody declares that, so it is read off the value (an absolute
 * path, a path below the home folder, a file: URI, at any depth) or off the name of its parameter.
 *
 * Not looked at: what a parameter whose name ends in a word for content holds, because a file's text may well begin with
 * "/"; and texts of several lines. This is a check of arguments, for agents that mean well; it is no sandbox.
 */
import { isJsonObject } from '@switchboard/protocol'

/** By the last word of a parameter's name: `filePath`, `output_dir`, `paths`. */
const PATH_WORDS: ReadonlySet<string> = new Set([
  ...['path', 'paths', 'filepath', 'filepaths', 'pathname', 'pathnames'],
  ...['file', 'files', 'filename', 'filenames'],
  ...['directory', 'directories', 'dir', 'dirs', 'folder', 'folders', 'cwd', 'root', 'roots'],
])

/** The same, but what is a URI of another scheme under them names no place on disk. */
const PLACE_WORDS: ReadonlySet<string> = new Set([
  ...['uri', 'uris', 'target', 'targets', 'destination', 'destinations', 'dest', 'source', 'sources', 'src'],
])

const CONTENT_WORDS: ReadonlySet<string> = new Set([
  ...['content', 'contents', 'text', 'texts', 'body', 'message', 'description', 'comment', 'title', 'prompt'],
  ...['code', 'script', 'patch', 'diff', 'query', 'pattern', 'regex', 'glob', 'expression', 'search', 'replace'],
  ...['replacement', 'str', 'string', 'data', 'value', 'template', 'markdown', 'html', 'sql', 'line', 'lines'],
])

const OTHER_URI = /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i
const FILE_URI = /^file:/i
const HOME = /^~(?:[/\\]|$)/
const LINE_BREAK = /[\r\n]/

/** Longer than every word above. */
const MAX_NAME = 64

/** More than this many in one call are refused by whoever asks: each costs a look at the disk. */
export const MAX_PATHS = 1_000

/** Each once, as it was written; at most one more than `MAX_PATHS`. */
export function findArgumentPaths(args: unknown, isAbsolute: (text: string) => boolean): string[] {
  const found = new Set<string>()
  const visit = (value: unknown, kind: Kind): void => {
    if (found.size > MAX_PATHS) return
    if (typeof value === 'string') {
      if (isPath(value, kind, isAbsolute)) found.add(value)
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, kind)
    } else if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        // A map from path to content is a way to write many files at once.
        if (isPath(key, 'other', isAbsolute)) found.add(key)
        visit(item, kindOf(key))
      }
    }
  }
  visit(args, 'other')
  return [...found]
}

type Kind = 'path' | 'place' | 'content' | 'other'

function kindOf(name: string): Kind {
  const last = lastWord(name)
  if (PATH_WORDS.has(last)) return 'path'
  if (PLACE_WORDS.has(last)) return 'place'
  return CONTENT_WORDS.has(last) ? 'content' : 'other'
}

/** `new_path`, `newPath`, `NEW-PATH` and `path2` end in `path`. Only the end of a name is looked at. */
function lastWord(name: string): string {
  const words = name
    .slice(-MAX_NAME)
    .replace(/(?<!\d)\d+$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return (words.split(/[^A-Za-z0-9]+/).findLast((word) => word !== '') ?? '').toLowerCase()
}

function isPath(text: string, kind: Kind, isAbsolute: (text: string) => boolean): boolean {
  if (text === '' || kind === 'content') return false
  if (kind === 'path') return true
  if (kind === 'place') return !OTHER_URI.test(text)
  return !LINE_BREAK.test(text) && (FILE_URI.test(text) || HOME.test(text) || isAbsolute(text))
}
