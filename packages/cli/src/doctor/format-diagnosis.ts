import { formatCount, formatPath } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { padText } from '../terminal/text-width.ts'
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
}

/** What was found, and below it what to do about it. */
export function formatDiagnosis(diagnosis: Diagnosis, { style, isTTY, userHome }: FormatOptions): string[] {
  const { check, level, message, cure, fixed } = diagnosis
  const width = isTTY ? 1 : 5
  const mark = style[PAINT[level]](padText((isTTY ? SYMBOLS : WORDS)[level], width))
  const short = (text: string): string => shortenPaths(toSafeLine(text), userHome)
  const told = fixed === true ? `${style.green('fixed:')} ${short(message)}` : short(message)
  const first = `${mark} ${style.dim(padText(check, WIDEST))}  ${told}`
  if (level === 'ok' || cure === undefined) return [first]
  return [first, `${' '.repeat(width + WIDEST + 3)}${style.cyan('→')} ${short(cure)}`]
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
  return fixable === 0 ? head : `${head} switchboard doctor --fix cures ${fixable} of them.`
}

/** The person's own home folder as they write it, wherever it stands in a sentence. */
function shortenPaths(text: string, userHome: string): string {
  return text.replace(/[^\s"(),;]+/g, (word) => formatPath(word, userHome))
}
