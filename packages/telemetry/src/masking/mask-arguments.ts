/**
 * The words of a command without the secrets among them: behind an option (`--token X`, `-H "Authorization: X"`), in one
 * (`--api-key=X`, `NAME=X` of a container's environment), in an address, or known by their own form. Every screen that shows a command shows it
 * through here; names stay, so that one can see what is set.
 */
import { judgeName, looksLikePath } from '@switchboard/base'
import { MASK, maskText } from './mask-text.ts'

const OPTION = /^--?([A-Za-z][A-Za-z0-9_.-]{0,60})(?:=([\s\S]*))?$/
/** Too common to be secrets in a text; as the name of an option they are. */
const SHORT_NAMES = /^(?:key|pat|pass|bearer|jwt|psk|otp|pin|sas|pw)$/
const HEADER_NAMES = /^(?:h|headers?)$/i
const VARIABLE_NAMES = /^(?:e|env)$/i
/** `-u me:secret`, as curl has it; but `-u 1000:1000` is a user and a group. */
const USER_NAMES = /^(?:u|user|userpwd|proxy-user|basic)$/i
const USER_AND_SECRET = /^([^\s:/\\]+:)(?!\d+$)[^\s/\\]/
/** Behind nothing that tells what it is: too long and too mixed for a word. */
const RANDOM = /^(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{32,}$/

export function maskArguments(words: readonly string[]): string[] {
  return words.map((word, index) => maskArgument(word, words[index - 1]))
}

/** As it stands in a table of processes: its words are no longer told apart by more than blanks. */
export function maskCommandLine(text: string): string {
  return maskArguments(maskText(text).split(' ')).join(' ')
}

/** `previous`: the word before it. */
export function maskArgument(word: string, previous: string | undefined): string {
  const [, before, inside] = previous === undefined ? [] : (OPTION.exec(previous) ?? [])
  if (before !== undefined && inside === undefined && !OPTION.test(word)) {
    const masked = maskOption(before, word)
    if (masked !== undefined) return masked
  }
  const [, name, value] = OPTION.exec(word) ?? []
  if (name !== undefined && value !== undefined && value !== '') {
    const masked = maskOption(name, value)
    if (masked !== undefined) return `${word.slice(0, word.length - value.length)}${masked}`
  }
  return RANDOM.test(word) ? MASK : maskText(word)
}

/** Undefined: the option's name does not tell. */
function maskOption(name: string, value: string): string | undefined {
  if (HEADER_NAMES.test(name) || VARIABLE_NAMES.test(name)) {
    const [, start] = /^([A-Za-z_][\w-]*[ \t]*[:=][ \t]*)\S/.exec(value) ?? []
    return start === undefined ? undefined : `${start}${MASK}`
  }
  if (USER_NAMES.test(name)) {
    const [, user] = USER_AND_SECRET.exec(value) ?? []
    return user === undefined ? undefined : `${user}${MASK}`
  }
  if (SHORT_NAMES.test(name.toLowerCase())) return looksLikePath(value) ? undefined : MASK
  const verdict = judgeName(name)
  return verdict === 'plain' || (verdict === 'counted' && /^\d+$/.test(value)) ? undefined : MASK
}

/** The secret that was masked in a text, with what stands around it; undefined: there is none, or there are several. */
export function findMasked(
  text: string,
  masked: string,
): { readonly start: string; readonly secret: string; readonly end: string } | undefined {
  const [start = '', end, more] = masked.split(MASK)
  if (end === undefined || more !== undefined || !text.startsWith(start) || !text.endsWith(end)) return undefined
  const secret = text.slice(start.length, text.length - end.length)
  return secret === '' ? undefined : { start, secret, end }
}
