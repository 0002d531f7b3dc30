import type { OutputStream } from '../io.ts'

type Paint = (text: string) => string

export interface Style {
  readonly hasColor: boolean
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
  readonly inverse: Paint
}

const SEQUENCES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  inverse: [7, 27],
} as const

export interface StyleOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly noColor: boolean
}

export function createStyle(stream: OutputStream, options: StyleOptions): Style {
  const hasColor = wantsColor(stream, options)
  const paint = (name: keyof typeof SEQUENCES): Paint => {
    const [open, close] = SEQUENCES[name]
    return (text) => (hasColor && text !== '' ? `\x1b[${open}m${text}\x1b[${close}m` : text)
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
