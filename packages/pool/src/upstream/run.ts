import type { Call, JsonObject } from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'

/** One request on its way to a server and back. */
export interface Run {
  readonly method: string
  readonly params: JsonObject
  readonly call: Call
  readonly tool: Tool | undefined
  /** Monotonic; moved on by the time the agent's side takes to answer questions. */
  deadline: number
}
