import { styleText } from 'node:util'
import type { OutputStream } from '../program/io.ts'

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'inverse'
type Paint = (text: string) => string

export interface Style extends Readonly<Record<Format, Paint>> {
  readonly hasColor: boolean
}

export interface StyleOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly noColor: boolean
}

export function createStyle(stream: OutputStream, options: StyleOptions): Style {
  const hasColor = wantsColor(stream, options)
  const paint = (format: Format): Paint => {
    // Whether there is colour is decided here: Node would ask its own streams and environment.
    return (text) => (hasColor && text !== '' ? styleText(format, text, { validateStream: false }) : text)
  }
  return {
    hasColor,
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
    inverse: paint('inverse'),
  }
}

/** The flag, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal that can. */
function wantsColor(stream: OutputStream, { env, noColor }: StyleOptions): boolean {
  if (noColor || (env.NO_COLOR ?? '') !== '') return false
  const force = env.FORCE_COLOR
  if (force !== undefined) return force !== '0' && force !== 'false'
  return stream.isTTY === true && env.TERM !== 'dumb'
}
