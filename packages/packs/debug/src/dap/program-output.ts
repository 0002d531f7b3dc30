/** Output on its way to the listeners: what is the program's, what a logpoint's, what nobody wants to hear. */
import type { OutputCategory } from '../engine/debug-session.ts'
import { type OutputPart, splitMarkedOutput } from './log-marks.ts'
import type { DapTraits } from './traits.ts'

const TAIL_CHARACTERS = 4000

export class ProgramOutput {
  readonly #traits: DapTraits
  /** A terminal's line end that was cut in two. */
  #heldReturn = ''
  #tail = ''

  constructor(traits: DapTraits) {
    this.#traits = traits
  }

  /** The last that was printed, chatter included: it explains a failed start. */
  get tail(): string {
    return this.#tail
  }

  take(category: OutputCategory, raw: string): OutputPart[] {
    const text = this.#traits.hasTerminalOutput && category !== 'console' ? this.#withoutReturns(raw) : raw
    this.#tail = (this.#tail + text.slice(-TAIL_CHARACTERS)).slice(-TAIL_CHARACTERS)
    // Where the program has a terminal, all that it prints is stdout: what else there is, the debugger says.
    const isOwn = category === 'console' || (category === 'stderr' && this.#traits.hasTerminalOutput === true)
    const wanted = isOwn ? this.#withoutChatter(text) : text
    return wanted === '' ? [] : splitMarkedOutput(category, wanted)
  }

  #withoutReturns(raw: string): string {
    const text = this.#heldReturn + raw
    this.#heldReturn = text.endsWith('\r') ? '\r' : ''
    return (this.#heldReturn === '' ? text : text.slice(0, -1)).replaceAll('\r\n', '\n')
  }

  #withoutChatter(text: string): string {
    const { isChatter } = this.#traits
    if (isChatter === undefined) return text
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
    const kept = lines.filter((line) => !isChatter(line))
    return kept.length === lines.length ? text : kept.join('').trimStart()
  }
}
