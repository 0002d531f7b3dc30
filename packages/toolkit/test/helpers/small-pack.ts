import { type Call, isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { CallToolResult } from '@switchboard/protocol/mcp'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import { createCall, textOf } from '@switchboard/testkit'
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
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  return {
    result,
    text: textOf(result),
    envelope,
    error: isJsonObject(envelope.error) ? envelope.error : {},
  }
}
