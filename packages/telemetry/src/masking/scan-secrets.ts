/**
 * Secrets in what is about to be kept or handed on: by their looks, as a debugger hides them, and as assignments of an
 * environment (`API_KEY=…`), of an option (`--token …`, `-u me:…`) and of a configuration (`<password>…`), which nobody writes into
 * a program. Whoever gave the text is told what is gone.
 */
import { judgeName, looksLikePath } from '@switchboard/base'
import { maskLooks } from './mask-looks.ts'
import { MASK } from './mask-text.ts'

export interface SecretScan {
  /** With every secret masked. */
  readonly text: string
  /** How many of each kind; empty: there was none. */
  readonly found: ReadonlyMap<string, number>
}

const NOTHING: ReadonlyMap<string, number> = new Map()

/** A name in capital letters, and a value behind it without a blank between. */
const ASSIGNMENT = /(?<![\w$.-])([A-Z][A-Z0-9_]{2,60})(=["']?)([^\s"'`$<>{}()[\],;&|]{4,512})/g
const OPTION =
  /(?<![\w-])(--(?:[a-z0-9]{1,30}[-_]){0,6}(?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|credentials?)(?:=|[ \t]{1,4})["']?)(?![-\s[])([^\s"'`<>$]{4,512})/gi
/** `curl -u me:secret`; `-u 1000:1000` is a user and a group. */
const USER = /((?:^|\s)(?:-u|--user)[ \t=]{1,4}["']?([^\s:"'/\\$]{1,100}):)(?!\d{1,10}(?!\S))([^\s"'`<>$]{4,512})/gm
const ELEMENT = /(<[\w:-]{0,40}(?:password|passphrase|passwd|secret|token|api-?key)>)([^\s<>$]{4,512})(?=<\/)/gi
const SECRET_NAME = /(?:^|_)(?:KEY|PASS|PW|AUTH|PAT|DSN)$/
/** What stands in examples, and what is a setting. */
const HARMLESS =
  /^(?:(?:true|false|null|none|yes|no|on|off|\d+|\*+|change[-_]?me|placeholder|redacted|\.{3}|…)$|xxx|your[-_]|example|(?:id|type|source|src)=)/i
/** One word of a language: the kind of a token, the name of a key. */
const WORD = /^[A-Z]?[a-z]+$|^[A-Z_]+$/

export function scanSecrets(text: string): SecretScan {
  let found: Map<string, number> | undefined
  const onMasked = (kind: string): void => {
    found ??= new Map()
    found.set(kind, (found.get(kind) ?? 0) + 1)
  }
  const assigned = text.replace(ASSIGNMENT, (match, name: string, between: string, value: string) => {
    if (!isSecretAssignment(name, value)) return match
    onMasked('environment variable')
    return `${name}${between}${MASK}`
  })
  const hide = (match: string, start: string, value: string): string => {
    if (value === MASK || HARMLESS.test(value) || WORD.test(value) || looksLikePath(value)) return match
    onMasked(/pass|user|-u/i.test(start) ? 'password' : 'secret by its name')
    return `${start}${MASK}`
  }
  const told = assigned
    .replace(OPTION, hide)
    .replace(ELEMENT, hide)
    .replace(USER, (match, start: string, user: string, value: string) =>
      value === user ? match : hide(match, start, value),
    )
  const masked = maskLooks(told, [], onMasked)
  return { text: masked, found: found ?? NOTHING }
}

function isSecretAssignment(name: string, value: string): boolean {
  if (judgeName(name) !== 'secret' && !SECRET_NAME.test(name)) return false
  // Addresses and known forms keep what is no secret in them.
  if (value === MASK || HARMLESS.test(value) || looksLikePath(value) || value.includes('://')) return false
  return /PASS|SECRET|PW/.test(name) || (value.length >= 8 && !WORD.test(value))
}
