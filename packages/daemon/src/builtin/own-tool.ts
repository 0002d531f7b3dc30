/** What a tool of Switchboard's own is made of. */
import type { Call, CallToolResult, JsonObject, OwnTool as OwnToolName, Tool } from '@switchboard/protocol'

export interface OwnTool {
  readonly definition: Tool & { readonly name: OwnToolName }
  /** With arguments that fit the definition. */
  run(args: JsonObject, call: Call): Promise<OwnToolResult> | OwnToolResult
}

export interface OwnToolResult {
  /** Short, for the model; everything is in `data`. */
  readonly text: string
  readonly data: JsonObject
}

export function toCallResult({ text, data }: OwnToolResult, tool: string, call: Call, begun: number): JsonObject {
  const result: CallToolResult = {
    content: [{ type: 'text', text }],
    structuredContent: {
      ok: true,
      type: 'success',
      data,
      meta: {
        requestId: call.id,
        traceId: call.traceId,
        tool,
        provider: 'switchboard',
        timestamp: new Date().toISOString(),
        durationMs: Math.round(performance.now() - begun),
      },
    },
  }
  // A result is plain JSON; its interface only lacks the index signature.
  return result as unknown as JsonObject
}
