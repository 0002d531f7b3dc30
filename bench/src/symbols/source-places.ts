/** A file of C, C++ or Rust line by line, for one who judges a difference: what stands there, and in which blocks it stands. */

export interface SourcePlace {
  /** Without comments and texts. */
  readonly line: string
  /** The last line before it that is not empty. */
  readonly before: string
  /** What stands before the braces that are open here, from outside in. */
  readonly heads: readonly string[]
  /** In a branch of the preprocessor that is one of several, or that stands for nothing (`#if 0`). */
  readonly isBranch: boolean
  /** The whole file, without comments and texts. */
  readonly text: string
}

const LONGEST_HEAD = 400

export class SourcePlaces {
  readonly #text: string
  readonly #lines: string[]
  readonly #heads: (readonly string[])[] = []
  readonly #isBranch: boolean[]

  constructor(source: string) {
    this.#text = withoutComments(source)
    this.#lines = this.#text.split('\n')
    this.#isBranch = findBranches(this.#lines)
    this.#readBlocks()
  }

  /** Counted from 1. */
  at(line: number): SourcePlace {
    let above = line - 2
    while (above > 0 && this.#lines[above]?.trim() === '') above--
    return {
      line: this.#lines[line - 1] ?? '',
      before: this.#lines[above] ?? '',
      heads: this.#heads[line - 1] ?? [],
      isBranch: this.#isBranch[line - 1] ?? false,
      text: this.#text,
    }
  }

  #readBlocks(): void {
    let open: readonly string[] = []
    let head = ''
    let isDirective = false
    for (const line of this.#lines) {
      this.#heads.push(open)
      isDirective = isDirective || /^\s*#/.test(line)
      if (isDirective) {
        isDirective = line.endsWith('\\')
        continue
      }
      for (const letter of line) {
        if (letter === '{') {
          open = [...open, head.trim()]
          head = ''
        } else if (letter === '}') {
          open = open.slice(0, -1)
          head = ''
        } else if (letter === ';') head = ''
        else if (head.length < LONGEST_HEAD) head += letter
      }
      head += ' '
    }
  }
}

/** What is left keeps its line. */
function withoutComments(source: string): string {
  const parts: string[] = []
  let kept = 0
  const drop = (from: number, to: number, as: string): void => {
    parts.push(source.slice(kept, from), as, source.slice(from, to).replace(/[^\n]/g, ''))
    kept = to
  }
  for (let at = 0; at < source.length; at++) {
    const sign = source[at]
    if (sign === '/' && (source[at + 1] === '/' || source[at + 1] === '*')) {
      const end = source[at + 1] === '/' ? endBefore(source, '\n', at) : endAfter(source, '*/', at + 2)
      drop(at, end, '')
      at = end - 1
    } else if (sign === '"') {
      const end = endOfText(source, at)
      drop(at, end, '""')
      at = end - 1
    } else if (sign === "'") {
      // One letter, or a lifetime of Rust.
      const letter = /^'(?:[^'\\\n]|\\[^\n][^'\n]{0,8})'/.exec(source.slice(at, at + 12))?.[0]
      if (letter !== undefined) {
        drop(at, at + letter.length, '""')
        at += letter.length - 1
      }
    }
  }
  return parts.join('') + source.slice(kept)
}

function endBefore(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from)
  return found < 0 ? source.length : found
}

const endAfter = (source: string, mark: string, from: number): number =>
  Math.min(endBefore(source, mark, from) + mark.length, source.length)

/** Texts of Rust go over several lines; one of C that does was none. */
function endOfText(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '"') return at + 1
  }
  return source.length
}

function findBranches(lines: readonly string[]): boolean[] {
  const groups: { readonly from: number; isOne: boolean }[] = []
  const isBranch = lines.map(() => false)
  lines.forEach((line, index) => {
    const word = /^\s*#\s*(if|el|endif)(.*)/.exec(line)
    if (word?.[1] === 'if') groups.push({ from: index, isOne: /^\s+0\b/.test(word[2] ?? '') })
    const group = groups.at(-1)
    if (word?.[1] === 'el' && group !== undefined) group.isOne = true
    if (word?.[1] === 'endif' && groups.pop()?.isOne === true) isBranch.fill(true, group?.from, index)
  })
  return isBranch
}
