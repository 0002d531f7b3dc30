import {
  type Call,
  type CatalogPart,
  EMPTY_CATALOG,
  type JsonObject,
  type Provider,
  SwitchboardError,
} from '@switchboard/protocol'

export type FakeTool = (args: JsonObject, call: Call) => Promise<JsonObject> | JsonObject

export interface FakeProvider extends Provider {
  /** Every call that has begun, in order. */
  readonly calls: Call[]
  simulateCatalogChange(parts: readonly CatalogPart[]): void
}

/** A provider in this process: its tools are functions, their names are exposed as they are. */
export function createFakeProvider(tools: Record<string, FakeTool>): FakeProvider {
  const listeners = new Set<(parts: readonly CatalogPart[]) => void>()
  const calls: Call[] = []
  return {
    name: 'fake',
    naming: { prefix: false },
    calls,
    catalog: () => ({
      ...EMPTY_CATALOG,
      tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
      capabilities: { tools: {} },
    }),
    onCatalogChange(listener) {
      listeners.add(listener)
      return { dispose: () => void listeners.delete(listener) }
    },
    onResourceUpdated: () => ({ dispose: () => {} }),
    async request(method, params, call) {
      calls.push(call)
      const tool = tools[String(params.name)]
      if (method !== 'tools/call' || tool === undefined) throw new SwitchboardError('unknown_method', method)
      return tool((params.arguments ?? {}) as JsonObject, call)
    },
    status: () => ({ name: 'fake', state: 'ready', stale: false }),
    simulateCatalogChange: (parts) => {
      for (const listener of listeners) listener(parts)
    },
  }
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
