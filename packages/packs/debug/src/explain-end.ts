import type { JsonObject } from '@switchboard/protocol'

/** The answer of a tool that began a session tells how to go on, which nobody can who is not there any more. */
export function explainEnd({ sessionId, event }: JsonObject): string | undefined {
  if (typeof sessionId !== 'string' || (event !== 'stopped' && event !== 'running')) return undefined
  return (
    `The debug session ${sessionId} has ended with this command; an agent keeps its sessions. ` +
    'What is done in one call: debug_probe, debug_trace_function.'
  )
}
