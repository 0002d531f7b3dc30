/**
 * Any part of a text. What an adapter shows of a long one is cut, each in its own way: so the part is asked of the program, where
 * an expression for it is known, and else taken from what is shown.
 */
import type { EngineRequestOptions, Variable } from '../engine/debug-session.ts'
import { cutQuoted, readQuoted, type TextPiece } from '../engine/quoted-text.ts'
import type { DapVariableReader } from './dap-variable-reader.ts'
import type { Evaluator } from './evaluator.ts'
import type { DapTraits, TextSlice } from './traits.ts'

interface TextWhere {
  readonly frameId?: number
}

export class DapTextReader {
  readonly #traits: DapTraits
  readonly #evaluator: Evaluator
  readonly #reader: DapVariableReader

  constructor(traits: DapTraits, evaluator: Evaluator, reader: DapVariableReader) {
    this.#traits = traits
    this.#evaluator = evaluator
    this.#reader = reader
  }

  async read(
    text: Variable | number,
    range: { start: number; count: number },
    where: TextWhere,
    options: EngineRequestOptions = {},
  ): Promise<TextPiece | undefined> {
    if (typeof text !== 'number') return this.#readPiece(text, range, where, options)
    const known = this.#reader.placeOf(text)
    if (known === undefined) return undefined
    const found = await this.#evaluate(known.expression, known, options).catch(() => undefined)
    return found === undefined ? undefined : this.#readPiece(found, range, known, options)
  }

  async #readPiece(
    { value, type, expression }: Variable,
    { start, count }: { start: number; count: number },
    where: TextWhere,
    options: EngineRequestOptions,
  ): Promise<TextPiece | undefined> {
    const shown = readQuoted(value)
    if (shown === undefined) return undefined
    const slice = expression === undefined ? undefined : this.#traits.textSlice?.(expression, type ?? '')
    // A compiler may have left nothing to ask of what is shown well enough.
    const piece = await this.#readSlice(slice, { start, count }, where, options).catch(() => undefined)
    return piece ?? cutQuoted(shown, start, count)
  }

  async #readSlice(
    slice: TextSlice | undefined,
    { start, count }: { start: number; count: number },
    where: TextWhere,
    options: EngineRequestOptions,
  ): Promise<TextPiece | undefined> {
    if (slice === undefined) return undefined
    const length = Number.parseInt((await this.#evaluate(slice.length, where, options)).value, 10)
    if (!(length >= 0)) return undefined
    const from = Math.min(start, length)
    const pieces: string[] = []
    let quotes = { open: '"', close: '"' }
    for (let at = from; at < Math.min(from + count, length) || pieces.length === 0; at += slice.most) {
      const end = Math.min(at + slice.most, from + count, length)
      const { value } = await this.#evaluate(slice.piece(at, end), where, options)
      const piece = readQuoted(value)
      if (piece === undefined) return undefined
      quotes = piece
      pieces.push(readQuoted(cutQuoted(piece, 0, end - at).text)?.inside ?? '')
    }
    return { text: `${quotes.open}${pieces.join('')}${quotes.close}`, length }
  }

  #evaluate(expression: string, { frameId }: TextWhere, options: EngineRequestOptions): Promise<Variable> {
    return this.#evaluator.evaluate(
      expression,
      { context: 'watch', ...(frameId === undefined ? {} : { frameId }) },
      options,
    )
  }
}
