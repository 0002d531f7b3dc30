/** The text of a client's file as a screen may show it: of environments and headers the names only, and no secret anywhere. */
import { holdsNamesOnly, judgeName } from '@switchboard/base'
import { replaceTexts } from '@switchboard/config/text'
import { MASK, maskArguments, maskText } from '@switchboard/telemetry'
import type { ServerList } from '../client-places.ts'
import { listTomlStatements } from './toml-statements.ts'

/** The text has been parsed before. */
export function maskList(text: string, format: ServerList['format']): string {
  return format === 'json' ? maskJson(text) : maskToml(text)
}

/** Texts come in any order: what follows an option in a list is told by the word before it, so those are gathered first. */
function maskJson(text: string): string {
  const words = new Map<string, string>()
  replaceTexts(text, (value, path) => {
    if (typeof path?.at(-1) === 'number') words.set(path.join('\n'), value)
    return value
  })
  return replaceTexts(text, (value, path) => {
    // An entry that is commented out holds what it held.
    if (path === undefined) return maskText(value)
    if (hidesValue(path)) return MASK
    const index = path.at(-1)
    const before = typeof index === 'number' ? words.get([...path.slice(0, -1), index - 1].join('\n')) : undefined
    return maskArguments(before === undefined ? [value] : [before, value]).at(-1) ?? MASK
  })
}

function hidesValue(path: readonly (string | number)[]): boolean {
  const names = path.filter((part) => typeof part === 'string')
  const name = names.at(-1) ?? ''
  return names.slice(0, -1).some(holdsNamesOnly) || judgeName(name) !== 'plain'
}

function maskToml(text: string): string {
  let result = ''
  let at = 0
  for (const { kind, path, valueStart, end } of listTomlStatements(text)) {
    result += maskText(text.slice(at, valueStart))
    const value = text.slice(valueStart, end)
    const isHidden = kind === 'pair' && (hidesValue(path) || holdsNamesOnly(path.at(-1) ?? ''))
    result += isHidden ? `"${MASK}"${/\r?\n$/.exec(value)?.[0] ?? ''}` : maskText(value)
    at = end
  }
  return result + maskText(text.slice(at))
}
