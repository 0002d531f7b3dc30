import type { SeededRandom } from '@switchboard/testkit'
import type { Cell } from './measure-turns.ts'

export interface CompareOptions {
  readonly rounds: number
  readonly generations: number
  readonly random: SeededRandom
  readonly quick: boolean
  /** A quick run makes smaller batches. */
  scale(cells: readonly Cell[]): readonly Cell[]
  say(line: string): void
}
