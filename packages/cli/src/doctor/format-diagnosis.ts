import { formatCount } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { padText, wrapText } from '../terminal/text-width.ts'
import { CHECKS } from './checks.ts'
import type { Diagnosis } from './examine.ts'

const SYMBOLS = { ok: '✓', warn: '!', error: '✗' } as const
const WORDS = { ok: 'ok', warn: 'warn', error: 'error' } as const
const PAINT = { ok: 'green', warn: 'yellow', error: 'red' } as const
const WIDEST = Math.max(...CHECKS.map(({ name }) => name.length))

export interface FormatOptions {
  readonly style: Style
  /** Symbols in place of words. */
  readonly isTTY: boolean
  /** Shown as `~`. */
  readonly userHome: string
  readonly width: number
  /** In the words of who reads it: before it is known how long they are. */
  readonly inForm?: (text: string) => string
}

/** What was found, and below it what to do about it. */
export function formatDiagnosis(diagnosis: Diagnosis, options: FormatOptions): string[] {
  const { check, level, message, cure, fixed } = diagnosis
  const { style, isTTY, userHome, width, inForm = (text) => text } = options
  const marked = isTTY ? 1 : 5
  const mark = style[PAINT[level]](padText((isTTY ? SYMBOLS : WORDS)[level], marked))
  const indent = marked + WIDEST + 3
  // Never so narrow that every word gets a line of its own.
  const room = Math.max(30, width - indent - 3)
  const wrap = (text: string): string[] => wrapText(shortenPaths(inForm(toSafeLine(text)), userHome), room)
  const [first = '', ...more] = wrap(fixed === true ? `fixed: ${message}` : message)
  const [advice, ...rest] = level === 'ok' || cure === undefined ? [] : wrap(cure)
  const blank = ' '.repeat(indent)
  return [
    `${mark} ${style.dim(padText(check, WIDEST))}  ${first}`,
    ...more.map((line) => blank + line),
    ...(advice === undefined ? [] : [`${blank}${style.cyan('→')} ${advice}`]),
    ...rest.map((line) => `${blank}  ${line}`),
  ]
}

export function formatSummary(diagnoses: readonly Diagnosis[], style: Style): string {
  const count = (level: Diagnosis['level']): number => diagnoses.filter((one) => one.level === level).length
  const [errors, warnings] = [count('error'), count('warn')]
  const fixed = diagnoses.filter((one) => one.fixed === true).length
  const fixable = diagnoses.filter((one) => one.fixable && one.level !== 'ok').length
  const parts = [
    ...(errors === 0 ? [] : [style.red(formatCount(errors, 'error'))]),
    ...(warnings === 0 ? [] : [style.yellow(formatCount(warnings, 'warning'))]),
    ...(fixed === 0 ? [] : [style.green(`${fixed} fixed`)]),
  ]
  const head = parts.length === 0 ? style.green('Everything is fine.') : `${parts.join(', ')}.`
  if (fixable === 0) return head
  const what = fixable < errors + warnings ? `${fixable} of them` : fixable === 1 ? 'it' : 'all of them'
  return `${head} switchboard doctor --fix cures ${what}.`
}

/** The person's own home folder as they write it, wherever it stands in a sentence. Its name may have spaces. */
function shortenPaths(text: string, userHome: string): string {
  if (userHome === '') return text
  const [first = '', ...rest] = text.split(userHome)
  let shown = first
  for (const after of rest) {
    const isWhole = /(?:^|[\s"(),;])$/.test(shown.slice(-1)) && /^(?:[/\\\s"(),;]|$)/.test(after)
    shown += `${isWhole ? '~' : userHome}${after}`
  }
  return shown
}
