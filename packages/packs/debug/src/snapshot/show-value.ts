/** How a value of the program is shown: on one line, cut, and masked when it looks like a secret. */
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import type { Masking } from './masking.ts'

/** What an engine has left out itself counts as well. */
const CUT_BY_ENGINE = /…\(\+(\d+)\)$/

export interface ShowOptions {
  readonly maxLength: number
  readonly masking: Masking
}

export interface ShownValue {
  readonly text: string
  /** Characters that were left out. */
  readonly cut: number
  readonly isMasked: boolean
}

/** Frames of the debugger in a traceback of Python: they are none of the program's. */
const DEBUGGER_FRAMES =
  /^ {2}File "[^"\n]{0,500}[\\/](?:debugpy|pydevd)[^"\n]{0,500}", line \d+, in .*\n(?: {4}.*\n)*/gm

export function showValue(name: string, value: string, { maxLength, masking }: ShowOptions): ShownValue {
  const masked = masking.value(name, value)
  const line = toOneLine(masked)
  const isMasked = masked !== value
  if (line.length <= maxLength) return { text: line, cut: 0, isMasked }
  const end = isHighSurrogate(line.charCodeAt(maxLength - 1)) ? maxLength - 1 : maxLength
  const left = CUT_BY_ENGINE.exec(line)
  const more = left === null ? 0 : Number(left[1]) - left[0].length
  return { text: line.slice(0, end), cut: line.length - end + more, isMasked }
}

/** `…(+120)`: so much more is there. */
export function formatCut({ text, cut }: Pick<ShownValue, 'text' | 'cut'>): string {
  return cut === 0 ? text : `${text}…(+${cut})`
}

export interface ShowTextOptions {
  readonly paths: WorkspacePaths | undefined
  readonly masking: Masking
  /** What the agent has written itself: it is not masked. */
  readonly said?: readonly string[]
}

/** What a program or its debugger says, as an agent reads it: without secrets, and with paths as agents write them. */
export function showText(text: string, { paths, masking, said }: ShowTextOptions): string {
  const own = text.replace(DEBUGGER_FRAMES, '')
  const masked = masking.text(own, said)
  return paths?.showIn(masked) ?? masked
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
