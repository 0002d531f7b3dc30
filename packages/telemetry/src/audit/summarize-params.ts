import { maskSecrets } from '../masking/mask-secrets.ts'
import { cleanText } from '../masking/mask-text.ts'

const MAX_SUMMARY = 400
const MAX_VALUE = 60
const MAX_NAMES = 20

/** The parameters of a call in a line for a person: names and short values, masked; long values by their size. */
export function summarizeParams(params: unknown): string {
  const masked = maskSecrets(params)
  if (masked === undefined || masked === null) return ''
  if (typeof masked !== 'object' || Array.isArray(masked)) return bound(describe(masked, params))
  const entries = Object.entries(masked)
  const described = entries
    .slice(0, MAX_NAMES)
    .map(([name, value]) => `${name}=${describe(value, readOriginal(params, name))}`)
  if (entries.length > MAX_NAMES) described.push(`… ${entries.length - MAX_NAMES} more`)
  return bound(described.join(', '))
}

function describe(value: unknown, original: unknown): string {
  if (typeof value === 'string') {
    if (value === '[masked]' || value.length <= MAX_VALUE) return JSON.stringify(value)
    // The masked text may be cut already; the size that is told is that of what was sent.
    const length = typeof original === 'string' ? original.length : value.length
    return `${JSON.stringify(cleanText(value.slice(0, MAX_VALUE - 20)))}… (${length} characters)`
  }
  if (Array.isArray(value)) return `[${Array.isArray(original) ? original.length : value.length} items]`
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).slice(0, 8).join(', ')}}`
  return String(value)
}

function readOriginal(params: unknown, name: string): unknown {
  try {
    return typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  } catch {
    return undefined
  }
}

function bound(text: string): string {
  return text.length <= MAX_SUMMARY ? text : `${text.slice(0, MAX_SUMMARY - 1)}…`
}
