/**
 * Hit conditions as every engine understands them: `5` or `== 5` stops at the fifth hit only, `>= 3` from the third on,
 * `% 10` at every tenth. Engines whose debugger knows less count for themselves with this.
 */
import { ToolError } from '@switchboard/toolkit'

export type HitOperator = '==' | '>=' | '>' | '<' | '<=' | '%'

export interface HitCondition {
  readonly operator: HitOperator
  readonly count: number
  /** Is the hit with this number (the first is 1) one to stop at? */
  isMet(hit: number): boolean
}

const MAX_LENGTH = 40
const SHAPE = /^\s*(==?=?|>=|<=|>|<|%)?\s*(\d{1,9})\s*$/

export function parseHitCondition(text: string): HitCondition {
  const match = text.length > MAX_LENGTH ? null : SHAPE.exec(text)
  const count = Number(match?.[2])
  if (match === null || (match[1] === '%' && count === 0)) {
    throw new ToolError(
      'E_BREAKPOINT_INVALID',
      `The hit condition "${text.slice(0, MAX_LENGTH)}" is not a number, or an operator and a number. Examples: 5, >= 3, % 10.`,
    )
  }
  const operator = toOperator(match[1])
  return { operator, count, isMet: (hit) => compare(hit, operator, count) }
}

function toOperator(text: string | undefined): HitOperator {
  switch (text) {
    case '>=':
    case '>':
    case '<':
    case '<=':
    case '%':
      return text
    default:
      return '=='
  }
}

function compare(hit: number, operator: HitOperator, count: number): boolean {
  switch (operator) {
    case '==':
      return hit === count
    case '>=':
      return hit >= count
    case '>':
      return hit > count
    case '<':
      return hit < count
    case '<=':
      return hit <= count
    case '%':
      return hit % count === 0
  }
}
