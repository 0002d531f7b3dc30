/** The pack's own tools with a store of output, and one way to call them. */
import { type Call, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createPack, type Pack, type ToolFunctions } from '@switchboard/toolkit'
import { manifest } from '../../src/generated/manifest.ts'
import { tools } from '../../src/generated/tools.ts'
import { OutputStore, type OutputStoreOptions } from '../../src/output/output-store.ts'
import type { OutputHost } from '../../src/output/select-capture.ts'

export const OWNER = 'tt79-6f854d'

export interface Answer {
  readonly text: string
  readonly isError: boolean
  readonly data: JsonObject
  readonly code: string
}

export function createOutputPack(options: OutputStoreOptions = {}) {
  const output = new OutputStore(options)
  const requirement = () => undefined
  const host = {
    output,
    requirements: {
      session: requirement,
      paused: requirement,
      vscode: requirement,
      'language-server': requirement,
    },
  }
  const pack = createPack<OutputHost>({
    name: 'debug',
    manifest,
    // Only tools that need nothing but the store are called here.
    tools: tools as unknown as ToolFunctions<OutputHost>,
    host,
    log: createMemoryLogger(),
    strict: true,
  })
  return { output, call: (name: string, args: JsonObject = {}) => callPack(pack, name, args) }
}

export async function callPack(pack: Pack, name: string, args: JsonObject, call: Partial<Call> = {}): Promise<Answer> {
  const result = await pack.request(
    'tools/call',
    { name, arguments: args },
    {
      id: '1',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      signal: new AbortController().signal,
      caller: { era: 'legacy', capabilities: {}, instance: OWNER },
      ...call,
    },
  )
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  const error = isJsonObject(envelope.error) ? envelope.error : {}
  const [block] = Array.isArray(result.content) ? result.content : []
  return {
    text: isJsonObject(block) && typeof block.text === 'string' ? block.text : '',
    isError: result.isError === true,
    data: isJsonObject(envelope.data) ? envelope.data : {},
    code: typeof error.code === 'string' ? error.code : '',
  }
}
