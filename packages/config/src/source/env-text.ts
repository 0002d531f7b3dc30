/**
 * A file of variables (`.env`): `NAME=value` lines, an `export` before them, comments, quotes. Single quotes and backticks hold
 * what they hold; double ones know `\n`, `\r`, `\t` and a backslash before anything else; a quoted value may go over lines. A
 * line that is none of this is told by its number and never by its text: it may be a secret.
 */
import { createRecord } from '../shape/collection-types.ts'

interface EnvText {
  readonly values: Readonly<Record<string, string>>
  readonly wrong: readonly WrongLine[]
}

interface WrongLine {
  /** From 1. */
  readonly line: number
  readonly problem: string
}

const NAME = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=[^\S\n]*/
const QUOTES = ['"', "'", '`']
const ESCAPES: Readonly<Partial<Record<string, string>>> = { n: '\n', r: '\r', t: '\t' }

export function readEnvText(text: string): EnvText {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const values: [string, string][] = []
  const wrong: WrongLine[] = []
  for (let at = 0; at < lines.length; at++) {
    const written = lines[at] ?? ''
    if (/^\s*(?:#|$)/.test(written)) continue
    const begun = NAME.exec(written)
    const name = begun?.[1]
    if (begun === null || name === undefined) {
      wrong.push({ line: at + 1, problem: 'is not NAME=value' })
      continue
    }
    const rest = written.slice(begun[0].length)
    const quote = QUOTES.find((sign) => rest.startsWith(sign))
    if (quote === undefined) {
      values.push([name, withoutComment(rest).trim()])
      continue
    }
    const quoted = readQuoted(lines, at, rest, quote)
    if (typeof quoted === 'string') wrong.push({ line: at + 1, problem: quoted })
    else {
      values.push([name, quoted.value])
      at = quoted.last
    }
  }
  return { values: createRecord(values), wrong }
}

/** A sign within a word is part of it. */
function withoutComment(text: string): string {
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    if (at === 0 || /\s/.test(text[at - 1] ?? '')) return text.slice(0, at)
  }
  return text
}

/** A text: what is wrong. Each line is looked at once: a quote that is never closed must not make it slow. */
function readQuoted(
  lines: readonly string[],
  first: number,
  rest: string,
  quote: string,
): { value: string; last: number } | string {
  const parts: string[] = []
  for (let last = first; last < lines.length; last++) {
    const line = last === first ? rest.slice(1) : (lines[last] ?? '')
    const end = findEnd(line, quote)
    if (end < 0) {
      parts.push(line)
      continue
    }
    if (!/^\s*(?:#.*)?$/.test(line.slice(end + 1))) return 'has something after its closing quote'
    const value = [...parts, line.slice(0, end)].join('\n')
    return { value: quote === '"' ? readEscapes(value) : value, last }
  }
  return 'has a quote that is not closed'
}

function findEnd(line: string, quote: string): number {
  if (quote !== '"') return line.indexOf(quote)
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === quote) return at
  }
  return -1
}

function readEscapes(value: string): string {
  return value.replace(/\\([\s\S])/g, (_whole, sign: string) => ESCAPES[sign] ?? sign)
}
