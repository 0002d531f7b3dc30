import type { Call, JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { FakeProvider, tool } from '../../helpers/fake-provider.ts'

export type ToolFunction = (args: JsonObject, call: Call) => Promise<JsonObject> | JsonObject

/** A provider in this process: its tools are functions, their names are exposed as they are. */
export function createToolProvider(tools: Record<string, ToolFunction>, name = 'tools'): FakeProvider {
  return new FakeProvider(name, {
    naming: { prefix: false },
    catalog: { tools: Object.keys(tools).map((name) => tool(name)), capabilities: { tools: {} } },
    answers: {
      'tools/call': ({ name: asked, arguments: args }, call) => {
        const run = tools[String(asked)]
        if (run === undefined) throw new SwitchboardError('unknown_tool', String(asked))
        return run((args ?? {}) as JsonObject, call)
      },
    },
  })
}

export function text(value: string): JsonObject {
  return { content: [{ type: 'text', text: value }] }
}

/** Resolves never; rejects when the call is cancelled. */
export function untilCancelled(call: Call): Promise<never> {
  return new Promise((_, reject) => {
    if (call.signal.aborted) reject(call.signal.reason)
    call.signal.addEventListener('abort', () => reject(call.signal.reason))
  })
}
