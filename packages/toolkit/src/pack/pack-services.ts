/** What a pack may ask the rest of the house, wired by whoever runs it: packs know nothing of each other. */
import type { Caller } from '@switchboard/protocol'
import type { CodeIndex } from './code-index.ts'

/** An error that an agent has just met: a program stopped on it, a test failed, a tool answered with it. */
export interface MetError {
  readonly message: string
  /** Such as `TypeError`. Absent: whoever recalls finds out. */
  readonly type?: string | undefined
  readonly stack?: string | undefined
}

export interface PackServices {
  /** That the caller has declared; undefined: none. */
  modeOf(caller: Caller): string | undefined
  /** What packs have under way for that caller, a line each. */
  standing(caller: Caller): readonly string[]
  /** One line about what helped before; undefined: nothing that is sure enough, or nobody knows it in time. Never rejects. */
  recall(error: MetError, caller: Caller): Promise<string | undefined>
  /** Of the pack that indexes workspaces; undefined: none does. It answers for the caller's own workspace, whatever profile lists it. */
  codeIndex(): CodeIndex | undefined
}

/** Of a pack that runs alone. */
export const NO_SERVICES: PackServices = {
  modeOf: () => undefined,
  standing: () => [],
  recall: async () => undefined,
  codeIndex: () => undefined,
}
