/** Adds and removes one table of a TOML text; comments, order and layout of the rest stay. */
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@switchboard/protocol'
import { listTomlStatements, type TomlStatement } from './toml-statements.ts'

export type TomlReading =
  | { readonly value: Record<string, unknown>; readonly problem?: undefined }
  | { readonly problem: string }

/** Few have such a file, so its parser is no part of the bundle. */
export async function readTomlText(text: string): Promise<TomlReading> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return { value: parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [what = ''] = error.message.split('\n')
    return { problem: `line ${error.line}: ${what.replace(/^Invalid TOML document: /, '')}` }
  }
}

/** Without the table, those below it, and its pairs wherever they stand. */
export function removeTomlTable(text: string, path: readonly string[]): string {
  const statements = listTomlStatements(text)
  const isGone = ({ path: own }: TomlStatement): boolean => isDeepStrictEqual(own.slice(0, path.length), path)
  let result = text
  for (let last = statements.length - 1; last >= 0; last--) {
    const ending = statements[last]
    if (ending === undefined || !isGone(ending)) continue
    let first = last
    // What stands between two of its lines is about it.
    while (first > 0 && isGone(statements[first - 1] ?? ending)) first--
    const start = statements[first]?.start ?? ending.start
    const before = result.slice(0, start)
    const after = result.slice(ending.end)
    // One of the two gaps around it is enough.
    const isApart = before === '' || /\n[ \t]*\r?\n$/.test(before)
    result = before + (isApart ? after.replace(/^(?:[ \t]*\r?\n)+/, '') : after)
    last = first
  }
  return result
}

/** At the end, as a table of its own. */
export async function addTomlTable(text: string, path: readonly string[], value: unknown): Promise<string> {
  const { stringify } = await import('smol-toml')
  const endOfLine = text.includes('\r\n') ? '\r\n' : '\n'
  const content = stringify(
    path.reduceRight<Record<string, unknown>>((inner, key) => ({ [key]: inner }), asTable(value)),
  )
  const start = text === '' || text.endsWith('\n') ? '' : endOfLine
  const gap = text.trim() === '' ? '' : endOfLine
  return `${text}${start}${gap}${`${content.trim()}\n`.replaceAll('\n', endOfLine)}`
}

function asTable(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}
