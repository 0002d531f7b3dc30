/**
 * A glob as git reads it: `*` and `?` stay inside of one name, `**` between slashes crosses folders, `[…]` is a class. What a
 * repository writes is matched in steps, never as a regular expression: no pattern can make it slow.
 *
 * The time is at most (length of the path)² × (length of the pattern); with one `*` or none, as most are, it is the length alone.
 */
import { type CharacterClass, readClass } from './character-class.ts'

/** any: a character but `/`. star: any of them. all: anything at all. folders: nothing, or anything up to a `/`. */
interface Step {
  readonly kind: 'character' | 'class' | 'any' | 'star' | 'all' | 'folders'
  readonly character: string
  readonly set: CharacterClass | undefined
}

export interface GlobOptions {
  /** As file systems of Windows and macOS compare names. */
  readonly ignoreCase?: boolean
}

export class Glob {
  readonly #steps: readonly Step[] | undefined
  readonly #literal: string | undefined
  readonly #ignoreCase: boolean

  constructor(pattern: string, { ignoreCase = false }: GlobOptions = {}) {
    const bytes = toBytes(ignoreCase ? pattern.toLowerCase() : pattern)
    this.#ignoreCase = ignoreCase
    this.#literal = /[*?[\\]/.test(bytes) ? undefined : bytes
    this.#steps = this.#literal === undefined ? readSteps(bytes) : undefined
  }

  /** By the path as `toBytes` has it, so that it is turned into bytes once for all globs. */
  matches(path: string): boolean {
    const text = this.#ignoreCase ? path.toLowerCase() : path
    if (this.#literal !== undefined) return text === this.#literal
    return this.#steps !== undefined && matchSteps(this.#steps, text)
  }
}

/** Git compares bytes: a `?` is one byte of a letter that has several. */
export function toBytes(text: string): string {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > 0x7f) return Buffer.from(text, 'utf8').toString('latin1')
  }
  return text
}

/** Undefined: it is broken, and matches nothing. */
function readSteps(pattern: string): Step[] | undefined {
  const steps: Step[] = []
  const add = (kind: Step['kind'], character = '', set?: CharacterClass): void =>
    void steps.push({ kind, character, set })
  let at = 0
  while (at < pattern.length) {
    const character = pattern.charAt(at)
    if (character === '\\') {
      if (at + 1 >= pattern.length) return undefined
      add('character', pattern.charAt(at + 1))
      at += 2
    } else if (character === '[') {
      const read = readClass(pattern, at)
      if (read === undefined) return undefined
      add('class', '', read.set)
      at = read.end
    } else if (character === '*') {
      let end = at
      while (pattern.charAt(end) === '*') end++
      const isAlone = at === 0 || pattern.charAt(at - 1) === '/'
      if (end - at === 1 || !isAlone) add('star')
      else if (end === pattern.length || pattern.startsWith('\\/', end)) add('all')
      else if (pattern.charAt(end) === '/') {
        add('folders')
        end++
      } else add('star')
      at = end
    } else {
      add(character === '?' ? 'any' : 'character', character)
      at++
    }
  }
  return steps
}

/**
 * Two places to go back to are enough: what a later `*` cannot mend, an earlier one of the same name cannot either, since it would
 * leave less to the later one; and the same holds for what crosses folders.
 */
function matchSteps(steps: readonly Step[], text: string): boolean {
  let step = 0
  let at = 0
  let star = { step: -1, at: 0 }
  let wide = { step: -1, at: 0 }
  while (at < text.length || step < steps.length) {
    const current = steps[step]
    if (current?.kind === 'star') {
      star = { step, at }
      step++
      continue
    }
    if (current?.kind === 'folders' || current?.kind === 'all') {
      wide = { step, at }
      star = { step: -1, at: 0 }
      step++
      continue
    }
    if (at < text.length && current !== undefined && fits(current, text.charAt(at))) {
      step++
      at++
      continue
    }
    // Whatever is asked for where the text is over: more text in an earlier place leaves even less.
    if (at >= text.length) return false
    if (star.step >= 0 && star.at < text.length && text.charAt(star.at) !== '/') {
      star.at++
      step = star.step + 1
      at = star.at
      continue
    }
    if (wide.step < 0) return false
    const next = steps[wide.step]?.kind === 'all' ? wide.at + 1 : text.indexOf('/', wide.at) + 1
    if (next === 0 || next > text.length) return false
    wide.at = next
    star = { step: -1, at: 0 }
    step = wide.step + 1
    at = next
  }
  return true
}

function fits({ kind, character, set }: Step, found: string): boolean {
  if (kind === 'character') return character === found
  if (found === '/') return false
  return kind === 'any' || set?.has(found) === true
}
