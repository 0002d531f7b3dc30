/** Which braces are open: those of a class with its name, of an enum, or others. */
import type { TokenShapes } from './token-shapes.ts'

export interface OpenBlock {
  readonly kind: 'class' | 'enum' | 'other'
  readonly name: string
}

const OTHER: OpenBlock = { kind: 'other', name: '' }

export class OpenBlocks {
  readonly #shapes: TokenShapes
  readonly #open: OpenBlock[] = []
  /** Of a head whose brace has not come yet. */
  #next: OpenBlock = OTHER

  constructor(shapes: TokenShapes) {
    this.#shapes = shapes
  }

  get around(): OpenBlock {
    return this.#open.at(-1) ?? OTHER
  }

  enter(token: number): void {
    const sign = this.#shapes.sign(token)
    if (sign === '{') {
      this.#open.push(this.#next)
      this.#next = OTHER
    } else if (sign === '}') this.#open.pop()
    else if (sign === ';' || sign === ')' || sign === '=') this.#next = OTHER
    else if (sign === '') this.#readWord(token)
  }

  #readWord(token: number): void {
    const word = this.#shapes.word(token)
    if (word === 'enum') this.#next = { kind: 'enum', name: '' }
    else if (/^(?:class|struct|union)$/.test(word) && this.#next.kind !== 'enum') {
      this.#next = { kind: 'class', name: this.#nameAfter(token + 1) }
    }
  }

  /** The last word before the body, the bases or the arguments, that looks like no macro. */
  #nameAfter(first: number): string {
    const shapes = this.#shapes
    let name = ''
    for (let token = first; shapes.isName(token); token = shapes.skipBrackets(token + 1)) {
      if (name === '' || !shapes.isCapital(token)) name = shapes.word(token)
    }
    return name
  }
}
