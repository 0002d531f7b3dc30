/**
 * How a value of the program is shown: on one line, cut, and masked when it looks like a secret. A secret is known by the
 * name it stands under or by its own form; a person can switch the masking off in the configuration, an agent cannot.
 */
import { MASK, maskSecrets, maskText } from '@switchboard/telemetry'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'

export interface ShowOptions {
  readonly maxLength: number
  readonly showSecrets: boolean
}

export interface ShownValue {
  readonly text: string
  /** Characters that were left out. */
  readonly cut: number
  readonly isMasked: boolean
}

const HARMLESS = /^(?:true|false|null|none|nil|undefined|nan|''|""|0x0|nullptr|\(nil\))$/i
const NUMBER = /^-?\d+(?:\.\d+)?$/
/** In the preview of an object; in a text these words mean too many things. */
const SHORT_NAMED =
  /((?<![\w-])\\{0,3}["']?(?:auth|pwd)\\{0,3}["']?: ?)(?:\\{1,3}"[^"\\]*\\{1,3}"|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/gi
/** Quotes included. */
const LEAST_SECRET = 6
const MAX_SECRETS = 500
/** Frames of the debugger in a traceback of Python: they are none of the program's. */
const DEBUGGER_FRAMES = /^ {2}File "[^"\n]*[\\/](?:debugpy|pydevd)[^"\n]*", line \d+, in .*\n(?: {4}.*\n)*/gm

export function showValue(name: string, value: string, { maxLength, showSecrets }: ShowOptions): ShownValue {
  const masked = showSecrets ? value : maskValue(name, value)
  const line = toOneLine(masked)
  const isMasked = masked !== value
  if (line.length <= maxLength) return { text: line, cut: 0, isMasked }
  const end = isHighSurrogate(line.charCodeAt(maxLength - 1)) ? maxLength - 1 : maxLength
  return { text: line.slice(0, end), cut: line.length - end, isMasked }
}

/** `…(+120)`: so much more is there. */
export function formatCut({ text, cut }: Pick<ShownValue, 'text' | 'cut'>): string {
  return cut === 0 ? text : `${text}…(+${cut})`
}

export function maskValue(name: string, value: string): string {
  if (HARMLESS.test(value)) return value
  const isNamed = maskSecrets({ [lastName(name)]: NUMBER.test(value) ? Number(value) : value.slice(0, 100) })
  const [judged] = Object.values(Object(isNamed))
  return judged === MASK ? MASK : maskText(value).replace(SHORT_NAMED, `$1"${MASK}"`)
}

/** What stood under the name of a secret once is hidden under every other as well: it is passed on, or returned. */
export class KnownSecrets {
  readonly #values = new Set<string>()

  learn(variables: Iterable<{ readonly name: string; readonly value: string }>): void {
    for (const { name, value } of variables) {
      if (value.length < LEAST_SECRET || HARMLESS.test(value) || NUMBER.test(value) || !isSecretName(name)) continue
      this.#values.add(value)
      const [oldest] = this.#values
      if (this.#values.size > MAX_SECRETS && oldest !== undefined) this.#values.delete(oldest)
    }
  }

  has(value: string): boolean {
    return this.#values.has(value)
  }
}

/** What a program or its debugger says, as an agent reads it: without secrets, and with paths as agents write them. */
export function showText(
  text: string,
  { paths, showSecrets }: { readonly paths: WorkspacePaths | undefined; readonly showSecrets: boolean },
): string {
  const own = text.replace(DEBUGGER_FRAMES, '')
  const masked = showSecrets ? own : maskText(own)
  return paths?.showIn(masked) ?? masked
}

export function isSecretName(name: string): boolean {
  const [judged] = Object.values(Object(maskSecrets({ [lastName(name)]: 'x' })))
  return judged === MASK
}

/** Of `user.password` or `env["API_KEY"]` the part that names the value. */
function lastName(expression: string): string {
  return /([A-Za-z_$][\w$-]*)\W*$/.exec(expression.slice(-200))?.[1] ?? expression.slice(-200)
}

/** Escapes tell where lines end; control characters of a terminal are nothing for a model. */
export function toOneLine(text: string): string {
  return text
    .replace(/\r\n|\r|\n/g, '\\n')
    .replaceAll('\t', ' ')
    .replace(CONTROL, '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
