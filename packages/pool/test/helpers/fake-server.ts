import type { Era, JsonObject, JsonRpcRequest } from '@switchboard/protocol'
import type { Prompt, Resource, ResourceTemplate, Tool } from '@switchboard/protocol/mcp'
import type { ClosedInfo, TransportKind } from '../../src/transport/transport.ts'
import { FakeTransport, type Reply } from './fake-transport.ts'

export interface FakeServerScript {
  /** Which eras it speaks. Default: legacy only. */
  era?: Era | 'dual'
  kind?: TransportKind
  noticesExit?: boolean
  capabilities?: JsonObject
  instructions?: string
  tools?: Tool[]
  resources?: Resource[]
  templates?: ResourceTemplate[]
  prompts?: Prompt[]
  failsToOpen?: ClosedInfo | undefined
  closesSlowly?: boolean
  /** Own answers by method; they win over the built-in ones. */
  on?: Record<string, (params: JsonObject, transport: FakeTransport) => Reply>
}

export const METHOD_NOT_FOUND: Reply = { error: { code: -32601, message: 'Method not found' } }

/** A scripted server that can be started again and again; the script may be changed while it runs. */
export class FakeServer {
  readonly starts: FakeTransport[] = []
  script: FakeServerScript

  constructor(script: FakeServerScript = {}) {
    this.script = { ...script }
  }

  /** The transport of the latest start. */
  get current(): FakeTransport {
    const latest = this.starts.at(-1)
    if (latest === undefined) throw new Error('The fake server was never started')
    return latest
  }

  get alive(): number {
    return this.starts.filter(({ isGone }) => !isGone).length
  }

  createTransport(): FakeTransport {
    const transport = new FakeTransport(this, 1000 + this.starts.length)
    this.starts.push(transport)
    return transport
  }

  reply({ method, params = {} }: JsonRpcRequest, transport: FakeTransport): Reply {
    const own = this.script.on?.[method]
    if (own !== undefined) return own(params, transport)
    const { era = 'legacy', instructions, tools = [], resources = [], templates = [], prompts = [] } = this.script
    const capabilities = this.script.capabilities ?? { tools: {} }
    const about = { capabilities, ...(instructions === undefined ? {} : { instructions }) }
    switch (method) {
      case 'server/discover':
        return era !== 'legacy' ? { supportedVersions: ['2026-07-28'], ...about } : METHOD_NOT_FOUND
      case 'initialize':
        if (era === 'modern') return METHOD_NOT_FOUND
        return { protocolVersion: '2025-11-25', serverInfo: { name: 'fake', version: '1' }, ...about }
      case 'ping':
        return era === 'modern' ? METHOD_NOT_FOUND : {}
      case 'tools/list':
        return { tools }
      case 'resources/list':
        return { resources }
      case 'resources/templates/list':
        return { resourceTemplates: templates }
      case 'prompts/list':
        return { prompts }
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return era === 'modern' ? METHOD_NOT_FOUND : {}
      case 'tools/call':
        return { content: [{ type: 'text', text: 'done' }] }
      case 'subscriptions/listen':
        return undefined
      default:
        return METHOD_NOT_FOUND
    }
  }
}
