/**
 * What the front answers in place of a daemon that cannot be had, so that the agent is connected all the same: it hears what is
 * wrong and how it is cured, and is told that the lists have changed when a daemon is there. Nothing is pretended: the one tool
 * that is listed is that of the status, and every call of it, or of anything else, fails with the reason.
 */
import {
  createSuccess,
  isJsonObject,
  isLegacyVersion,
  type JsonObject,
  LATEST_LEGACY_VERSION,
  MODERN_VERSIONS,
} from '@switchboard/protocol'
import { formatSentences, type SwitchboardError } from '@switchboard/protocol/errors'
import { DISCOVER_METHOD, META_KEY } from '@switchboard/protocol/modern'
import { VERSION } from '../program/program-version.ts'
import type { OpenRequest } from './ledger.ts'

/** What a daemon declares in any case, whatever its servers are. */
const CAPABILITIES: JsonObject = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}
const SERVER_INFO = { name: 'switchboard', version: VERSION }

const EMPTY_LISTS: Readonly<Partial<Record<string, string>>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
}

/** Undefined: of that nothing can be said without a daemon. */
export function createStandIn(
  { id, method }: OpenRequest,
  line: Buffer | undefined,
  error: SwitchboardError,
  { isModern }: { readonly isModern: boolean },
): string | undefined {
  const result = createResult(method, line, describe(error))
  if (result === undefined) return undefined
  return JSON.stringify(createSuccess(id, isModern ? toModern(method, result) : result))
}

function createResult(method: string, line: Buffer | undefined, instructions: string): JsonObject | undefined {
  switch (method) {
    case 'initialize': {
      const asked = readVersion(line)
      const protocolVersion = isLegacyVersion(asked) ? asked : LATEST_LEGACY_VERSION
      return { protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER_INFO, instructions }
    }
    case DISCOVER_METHOD:
      return { supportedVersions: [...MODERN_VERSIONS], capabilities: CAPABILITIES, instructions }
    case 'ping':
      return {}
    case 'tools/list':
      return { tools: [createStatusTool(instructions)] }
    default: {
      const list = EMPTY_LISTS[method]
      return list === undefined ? undefined : { [list]: [] }
    }
  }
}

function createStatusTool(description: string): JsonObject {
  return {
    name: 'switchboard_status',
    description,
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  }
}

function toModern(method: string, result: JsonObject): JsonObject {
  const cache = method === 'ping' ? {} : { ttlMs: 0, cacheScope: 'private' }
  return { resultType: 'complete', ...result, ...cache, _meta: { [META_KEY.serverInfo]: SERVER_INFO } }
}

function describe(error: SwitchboardError): string {
  return `Switchboard is connected, but has no tools now. ${formatSentences(error)} Tell the person; the tools are listed as soon as this is cured.`
}

function readVersion(line: Buffer | undefined): unknown {
  const message: unknown = line === undefined ? undefined : JSON.parse(line.toString())
  return isJsonObject(message) && isJsonObject(message.params) ? message.params.protocolVersion : undefined
}
