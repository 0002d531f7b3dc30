/** Words with a meaning of their own before a name or before a brace. */
import { textOf } from './tree.ts'

const PREFIXES = new Set([
  'scripted_trigger',
  'scripted_effect',
  'type',
  'types',
  'template',
  'local_template',
  'block',
  'blockoverride',
])
/** Colours, and the lists of provinces in `default.map`. */
const TAGS = new Set(['rgb', 'hsv', 'hsv360', 'hex', 'cylindrical', 'range', 'list'])
const LONGEST = 16

/** A word that may stand before the name of what is defined: `scripted_trigger name = { … }`, `template name { … }`. */
export function isPrefix(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start]
  if (end - start > LONGEST || (first !== 0x73 && first !== 0x74 && first !== 0x6c && first !== 0x62)) return false
  return PREFIXES.has(textOf(bytes, start, end))
}

/** A word that may stand before the brace of a value: `color = rgb { … }`. */
export function isTag(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > LONGEST) return false
  return TAGS.has(textOf(bytes, start, end).toLowerCase())
}
