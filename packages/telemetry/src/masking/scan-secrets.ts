/**
 * Secrets in what is about to be kept or handed on: by their looks, as a debugger hides them, and as assignments of an
 * environment (`API_KEY=…`), which nobody writes into a program. Whoever gave the text is told what is gone.
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
const SECRET_NAME = /(?:^|_)(?:KEY|PASS|PW|AUTH|PAT|DSN)$/
/** What stands in examples, and what is a setting. */
const HARMLESS =
  /^(?:(?:true|false|null|none|yes|no|on|off|\d+|\*+|change[-_]?me|placeholder|redacted|\.{3}|…)$|xxx|your[-_]|example)/i
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
  const masked = maskLooks(assigned, [], onMasked)
  return { text: masked, found: found ?? NOTHING }
}

function isSecretAssignment(name: string, value: string): boolean {
  if (judgeName(name) !== 'secret' && !SECRET_NAME.test(name)) return false
  // Addresses and known forms keep what is no secret in them.
  if (value === MASK || HARMLESS.test(value) || looksLikePath(value) || value.includes('://')) return false
  return /PASS|SECRET|PW/.test(name) || (value.length >= 8 && !WORD.test(value))
}
