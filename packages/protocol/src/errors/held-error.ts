import { SwitchboardError } from './switchboard-error.ts'

export interface HeldDefinition {
  readonly server: string
  readonly kind: 'tool' | 'prompt'
  /** As the server calls it. */
  readonly name: string
  /** Half a sentence: "its description changed". */
  readonly reason: string
}

/** For a call of what a person has not accepted; both who lists and who calls refuse it in these words. */
export function createHeldError({ server, kind, name, reason }: HeldDefinition): SwitchboardError {
  return new SwitchboardError('definition_held', `The ${kind} ${name} of ${server} is held back: ${reason}`, {
    details: { server, [kind]: name, reason },
  })
}
