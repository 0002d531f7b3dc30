import { type CallToolResult, isJsonObject } from '@switchboard/protocol'

/**
 * Every command is a caller of its own, and what it debugs ends with it. The answer of a tool that began a session tells
 * how to go on, which here nobody can. Undefined where nothing has ended.
 */
export function explainEndedSession({ structuredContent }: CallToolResult): string | undefined {
  const data = isJsonObject(structuredContent) ? structuredContent.data : undefined
  if (!isJsonObject(data) || typeof data.sessionId !== 'string') return undefined
  if (data.event !== 'stopped' && data.event !== 'running') return undefined
  return (
    `note:  The debug session ${data.sessionId} has ended with this command; an agent keeps its sessions. ` +
    'What is done in one call: debug_probe, debug_trace_function.'
  )
}
