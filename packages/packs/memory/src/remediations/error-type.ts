/** What kind of error a text tells of, in small letters: the name or the code that its language gives it. */

/** The first that fits decides. Names of a module or package before the last part are left out. */
const FORMS: readonly RegExp[] = [
  // TypeScript, C#, MSVC, Rust: compilers number their errors
  /\berror(?: |\[)(?<type>(?:TS|CS|FS|BC|C|LNK|MSB|NU|E)\d{3,5})\b/,
  // npm: `npm error code ERESOLVE`
  /^npm (?:ERR!|error) code (?<type>[A-Z][A-Z0-9_]{2,40})/m,
  // Node: what has a code of its own
  /^(?:Uncaught )?[\w.]{0,60}Error \[(?<type>[A-Z][A-Z0-9_]{2,60})\]/m,
  // Systems: `Error: ENOENT: no such file`, `OSError: [Errno 98]`
  /\b(?<type>E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|FBIG|HOSTUNREACH|INVAL|IO|ISDIR|LOOP|MFILE|NAMETOOLONG|NETUNREACH|NFILE|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|PROTO|ROFS|TIMEDOUT|XDEV|AI_AGAIN))\b(?=[: ,)\]'"]|$)/m,
  // Ruby: `undefined method 'x' for nil (NoMethodError)`
  /\((?<type>[A-Z][\w:]{2,80}(?:Error|Exception))\)/,
  // Elixir: `** (ArgumentError) …`
  /^\*\* \((?<type>[\w.]{2,100})\)/m,
  // C++: what was thrown
  /throwing an instance of '(?<type>[\w:]{2,120})/,
  // PostgreSQL and others: a state of five
  /\bSQLSTATE[:\s[(]{1,3}(?<type>[0-9A-Z]{5})\b/,
  // Python, Java, JavaScript, PHP: the name before its colon, or alone on its line
  /^(?:[^\n]{0,80}?(?:Uncaught|Unhandled exception\.|Exception in thread "[^"\n]{0,80}"|Caused by:|E {2,4}|Fatal error:) {0,4})?(?<type>[A-Za-z_][\w.$\\]{0,160}(?:Error|Exception|Warning|Interrupt|Exit|Failure|Fault))(?=:|$| \()/m,
  // Go and Rust
  /^(?<type>panic: runtime error|fatal error: [a-z ]{3,40}|panic)(?=:|!|$)/m,
  /\b(?<type>panicked) at\b/,
  // Signals
  /\b(?<type>segmentation fault|bus error|stack overflow|out of memory|command not found|permission denied|core dumped)\b/i,
]
const ANY_NAME = /\b(?<type>[A-Za-z]\w{0,80}(?:Error|Exception))\b/
const MAX_TEXT = 20_000

export function detectErrorType(text: string): string | undefined {
  const shown = text.slice(0, MAX_TEXT)
  for (const form of [...FORMS, ANY_NAME]) {
    const type = form.exec(shown)?.groups?.type
    if (type !== undefined) return shortenType(type)
  }
  return undefined
}

/** `java.lang.NullPointerException` and `NullPointerException` are one. */
export function shortenType(type: string): string {
  return (
    type
      .trim()
      .toLowerCase()
      .split(/[.\\]|::/)
      .at(-1) ?? ''
  )
}
