/**
 * An error without what differs from run to run and from machine to machine: two texts of the same error become the same. What
 * is taken out leaves a `#`, which is no word, so that nobody finds an error by it. Every pattern is linear.
 */

/** More of an error tells nothing new. */
const MAX_TEXT = 4_000

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** `2026-11-18T08:03:12.123Z`, `2026/11/18 08:03:12,123 +01:00`, `Nov 18 08:03:12`, `08:03:12.123`. */
const TIME =
  /\b(?:\d{4}[-/]\d{2}[-/]\d{2}[T ]|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} )?\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[ ]?[+-]\d{2}:?\d{2})?(?!\w)/g
const DATE = /\b\d{4}[-/]\d{2}[-/]\d{2}\b/g
const ADDRESS = /\b0x[0-9a-f]{3,16}\b/gi
/** Of a commit, a container, a build: digits among its letters tell it from a word. */
const HASH = /\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,64}\b/gi
/** `file:///a/b.js`, `webpack-internal:///./a.js`: what follows is a path. */
const FILE_SCHEME = /\b(?:file|webpack|webpack-internal|vscode-remote):\/\/(?:\/(?=[A-Za-z]:[\\/])|(?=\/))/gi
/** Absolute, and not the end of an address: the name of the file is left. */
const UNIX_PATH = /(?<![\w.:/~@-])~?\/(?:[\w.@+$~%-]{1,255}\/){1,60}([\w.@+$~%-]{1,255})/g
const WINDOWS_PATH = /(?<!\w)[A-Za-z]:(?:[\\/]{1,2}[\w.@+$~% -]+){0,40}[\\/]{1,2}([\w.@+$~%-]+)/g
/** `a.js:12:5`, `a.py:12`, `A.java:12`, `a.ts(12,5)`. */
const PLACE = /(?<=\.[A-Za-z]\w{0,9})(?::\d{1,7}(?::\d{1,7})?|\(\d{1,7}(?:,\d{1,7})?\))/g
const LINE_WORD = /\b(lines?|columns?|col|position|offset|char(?:acter)?|byte)([ :=]{1,3})\d{1,9}(?:-\d{1,9})?\b/gi
const PROCESS_WORD = /\b(pid|ppid|tid|process|thread|worker|goroutine|task)([ :=#-]{1,3})\d{1,20}\b/gi
/** `(node:1234)`, `[1234]`, `[1234/5678:0101/…]`, as logs begin. */
const PROCESS_MARK = /\((?:node|pid|python):\d{1,10}\)|\[\d{2,10}\](?=[ :])/gi
/** Programs write quotes as their language and its version has it. */
const SINGLE_QUOTE = /[‘’`´]/g
const DOUBLE_QUOTE = /[“”]/g
/** `npm ERR!` before version 10. */
const NPM_MARK = /\bnpm ERR!/g
/** Rust: in which thread, and from where it was built. */
const PANIC = /\bthread '[^'\n]{0,100}'(?: \(#?\d{0,10}\))? panicked at (?:[\w.-]{1,100}\/){0,20}/g
/** When it was said. */
const STAMP = /^(?:\[#\]|#)[ ,:-]{1,3}/
/** Who says it: a thread, a script, the file that a compiler was at. */
const SPEAKER =
  /^(?:(?:# )?(?:Exception in thread "[^"\n]{0,80}"|Uncaught|Unhandled exception\.|(?:PHP )?Fatal error:(?= {1,4}Uncaught)) {0,4})+|^[^\s:]{1,200}: line #: |^[^\s:]{1,200}(?: -|:) (?=error\b)/i
/** How long it took is chance. */
const DURATION = /\b\d{1,9}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|s|sec|secs|seconds|min|minutes)\b/g

export function normaliseError(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(UUID, '#')
    .replace(TIME, '#')
    .replace(DATE, '#')
    .replace(FILE_SCHEME, '')
    .replace(WINDOWS_PATH, '$1')
    .replace(UNIX_PATH, '$1')
    .replace(PLACE, '')
    .replace(ADDRESS, '#')
    .replace(HASH, '#')
    .replace(LINE_WORD, '$1$2#')
    .replace(PROCESS_MARK, '')
    .replace(PROCESS_WORD, '$1$2#')
    .replace(DURATION, '#')
    .replace(SINGLE_QUOTE, "'")
    .replace(DOUBLE_QUOTE, '"')
    .replace(PANIC, 'panicked at ')
    .replace(NPM_MARK, 'npm error')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(STAMP, '')
    .replace(SPEAKER, '')
}
