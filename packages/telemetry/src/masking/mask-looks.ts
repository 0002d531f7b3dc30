/**
 * Secrets by their looks, for what a program holds and prints while it is debugged. A debugger that hides `token = 79`
 * hides the bug with it, so the name that a value stands under is a hint and never the reason. Hidden is
 *
 * 1. what has a known form (`maskForms`), and every value that the caller knows to be one;
 * 2. a word that nobody has written by hand: letters of both cases and digits at random;
 * 3. under the name of a secret a shorter word of that kind, or hexadecimal digits;
 * 4. under a name that says password or secret any word, unless it is one of a dictionary.
 *
 * Numbers, lists and objects are never hidden as a whole. The time stays linear in the text.
 */
import { judgeName } from '@switchboard/base'
import { MASK, maskForms, type OnMasked } from './mask-text.ts'

const RANDOM_LENGTH = 32
/** Longer ones are data: pictures, source maps. */
const LONGEST_WORD = 512
const LONGEST_RANDOM = 200
const NAMED_LENGTH = 16
const PASSWORD_LENGTH = 6

const LONG_WORD = /[A-Za-z0-9+/=_-]{32,}/g
/** Before the patterns that cost more: a name of a secret is in sight. */
const HAS_NAME = /pass|pwd|secret|token|key|auth|cookie|credential|signature/i
/** `name: "word"`, `"name":"word"`, `name=word`; quotes may be escaped. */
const NAMED_WORD =
  /(?<![\w$-])(?=[\w$-]{0,60}(?:pass|pwd|secret|token|key|auth|cookie|credential|signature))([A-Za-z_$][\w$-]{1,60})(\\{0,3}["']?\s{0,4}(?:=>|→|[:=])\s{0,4}\\{0,3}["'`]?)([^\s"'`\\,;&<>{}()[\]]{6,512})/gi

/** Everything in the text that looks like a secret, and `known` values wherever they stand. */
export function maskLooks(text: string, known: Iterable<string> = [], onMasked: OnMasked = () => {}): string {
  let masked = text
  for (const value of known) {
    if (!masked.includes(value)) continue
    onMasked('secret of the environment')
    masked = masked.replaceAll(value, MASK)
  }
  masked = maskForms(masked, onMasked)
  if (HAS_NAME.test(masked)) {
    masked = masked.replace(
      NAMED_WORD,
      (match, name: string, between: string, word: string, at: number, whole: string) => {
        if (!looksLikeSecret(name, word) || isCode(word, whole.charAt(at + match.length))) return match
        onMasked(/pass|pwd/i.test(name) ? 'password' : 'secret by its name')
        return `${name}${between}${MASK}`
      },
    )
  }
  return masked.replace(LONG_WORD, (word) => {
    if (!isRandom(word)) return word
    onMasked('random key')
    return MASK
  })
}

/** Of a text without its quotes, under the name that it stands under. */
export function looksLikeSecret(name: string, text: string): boolean {
  if (text.length < PASSWORD_LENGTH || text.length > LONGEST_WORD || /[\s[\]{}()]/.test(text)) return false
  if (text.length >= RANDOM_LENGTH && isRandom(text)) return true
  if (judgeName(name) === 'plain') return false
  if (/passw(?:or)?d|passphrase|secret/i.test(name) && !/^[A-Z]?[a-z]+$|^[A-Z]+$/.test(text)) return true
  if (text.length < NAMED_LENGTH) return false
  return isHexadecimal(text) || hasTurns(text, 0.25)
}

/** `password = os.environ["X"]` reads one, and `secretsmanager:GetSecretValue` is what somebody may do. */
function isCode(word: string, next: string): boolean {
  return ((next === '(' || next === '[') && /^[A-Za-z_][\w.]*$/.test(word)) || /^(?:[A-Z][a-z]+){2,8}$/.test(word)
}

/** A hash in hexadecimal digits, an integrity and a camelCase name are none. */
function isRandom(word: string): boolean {
  if (word.length > LONGEST_RANDOM || /^sha\d{1,3}-/.test(word)) return false
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && hasTurns(word, 0.4)
}

function isHexadecimal(text: string): boolean {
  return /^[0-9a-f-]+$/i.test(text) && countOf(text, /\d/g) >= 2 && countOf(text, /[a-f]/gi) >= 2
}

/** How often neighbours are of another kind: in what people write, words are in one piece. */
function hasTurns(text: string, share: number): boolean {
  if (countOf(text, /\d/g) < 2 || countOf(text, /[A-Za-z]/g) < 4) return false
  const turns = countOf(text, /(?<=[a-z])[A-Z\d]|(?<=[A-Z])[a-z\d]|(?<=\d)[A-Za-z]/g)
  return turns >= share * (text.length - 1)
}

function countOf(text: string, kind: RegExp): number {
  return text.match(kind)?.length ?? 0
}

/** Values of an environment that stand under the name of a secret, and under no other. */
export function readEnvironmentSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  const plain = new Set<string>()
  const secret = new Set<string>()
  for (const [name, value = ''] of Object.entries(environment)) {
    const isSecret = judgeName(name) === 'secret' || /(?:^|_)(?:KEY|PASS|PW|AUTH)$/i.test(name)
    if (!isSecret) plain.add(value)
    else if (value.length >= PASSWORD_LENGTH && !/^(?:\d+|true|false)$/i.test(value) && !isPath(value))
      secret.add(value)
  }
  return [...secret].filter((value) => !plain.has(value))
}

/** Base64 may begin as a path does. */
function isPath(value: string): boolean {
  if (!/^(?:[/~.\\]|[A-Za-z]:[\\/])/.test(value)) return false
  return !/^[A-Za-z0-9+/]{20,200}={1,2}$/.test(value) && !isRandom(value)
}
