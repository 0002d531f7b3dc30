import { type Call, type Caller, type CallToolResult, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import {
  createPack,
  type Pack,
  type PackHost,
  type PackManifest,
  type PackOptions,
  type ToolDeclaration,
  type ToolFunction,
} from '../../src/index.ts'

/** A declaration of which a test says only what matters to it. */
export function declare(alias: string, rest: Partial<ToolDeclaration> = {}): ToolDeclaration {
  return {
    alias,
    name: alias.replace(/[.-]/g, '_'),
    aliases: [],
    category: 'test',
    summary: `Does ${alias}`,
    input: { type: 'object', properties: {}, additionalProperties: false },
    result: 'query',
    timeoutMs: 5_000,
    safety: { readOnly: true, destructive: false, idempotent: true },
    requires: [],
    errors: [],
    examples: [],
    listed: true,
    core: false,
    parameterHints: {},
    next: [],
    ...rest,
  }
}

type AnyRun = ToolFunction<never, unknown, PackHost>
type Rest = Partial<Omit<PackOptions<PackHost>, 'manifest' | 'tools'>>

/** A pack of the given pairs. */
export function createSmallPack(
  pairs: readonly (readonly [ToolDeclaration, AnyRun])[],
  options: Rest & Partial<Pick<PackManifest, 'guides' | 'commonErrors' | 'definitions'>> = {},
): { pack: Pack; log: MemoryLogger } {
  const { guides = [], commonErrors = [], definitions = {}, ...rest } = options
  const log = createMemoryLogger()
  const pack = createPack<PackHost>({
    name: 'small',
    manifest: { pack: 'small', tools: pairs.map(([declaration]) => declaration), guides, commonErrors, definitions },
    tools: Object.fromEntries(pairs.map(([{ alias }, run]) => [alias, run])),
    host: {},
    log,
    ...rest,
  })
  return { pack, log }
}

export function createCall(rest: Partial<Omit<Call, 'caller'>> & { caller?: Partial<Caller> } = {}): Call {
  const { caller, ...others } = rest
  return {
    id: '7',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    signal: new AbortController().signal,
    caller: { era: 'legacy', capabilities: {}, instance: 'tt79-6f854d', ...caller },
    ...others,
  }
}

export interface CallReading {
  readonly result: CallToolResult
  readonly text: string
  readonly envelope: JsonObject
  readonly error: JsonObject
}

export async function callTool(
  pack: Pack,
  name: string,
  args?: unknown,
  call: Call = createCall(),
): Promise<CallReading> {
  // A pack's answer to tools/call is always one.
  const result = (await pack.request('tools/call', { name, arguments: args }, call)) as CallToolResult
  const [block] = result.content
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  return {
    result,
    text: typeof block?.text === 'string' ? block.text : '',
    envelope,
    error: isJsonObject(envelope.error) ? envelope.error : {},
  }
}
