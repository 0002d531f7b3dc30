/** What of the memory people see, by what it is called at a terminal, and where each is kept. */

import { SwitchboardError } from '@switchboard/protocol/errors'
import type { StoredItem } from '@switchboard/store'
import type { SpaceName } from '../host.ts'
import { readError } from '../remediations/read-error.ts'
import { SKILL_KIND } from '../skills/skill.ts'

export const KINDS = {
  checkpoint: 'checkpoints',
  remediation: 'remediations',
  [SKILL_KIND]: 'skills',
} as const satisfies Readonly<Record<string, SpaceName>>

export type Kind = keyof typeof KINDS

export const KIND_NAMES = Object.keys(KINDS).filter(isKind)

export function isKind(name: string): name is Kind {
  return Object.hasOwn(KINDS, name)
}

/** Throws what is wrong with it. */
export function readKind(name: string): Kind {
  if (isKind(name)) return name
  throw new SwitchboardError('invalid_arguments', `"${name}" is no kind of what is remembered`, {
    hint: `There are ${KIND_NAMES.join(', ')}.`,
  })
}

/** One line that tells it from others. */
export function titleOf({ data, text }: StoredItem): string {
  for (const key of ['summary', 'title', 'name', 'problem']) {
    const value = data[key]
    if (typeof value === 'string' && value.trim() !== '') return firstLineOf(value)
  }
  // Of a whole trace the line that says it: all of a language begin alike.
  if (typeof data.errorMessage === 'string') return firstLineOf(readError({ message: data.errorMessage }).message)
  return firstLineOf(text)
}

const MAX_TITLE = 500

function firstLineOf(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? ''
  return line.trim().slice(0, MAX_TITLE)
}
