import { readFlag, readOptionalText } from '@switchboard/config/arguments'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { readLogAsked } from './rows.ts'
import type { FeedTopics } from './wire.ts'

export function readTopics(params: JsonObject): FeedTopics {
  const server = readOptionalText(params, 'server', 'feed')
  const owner = readOptionalText(params, 'owner', 'feed')
  return {
    servers: readFlag(params, 'servers', 'feed', false),
    instances: readFlag(params, 'instances', 'feed', false),
    calls: readFlag(params, 'calls', 'feed', false),
    tools: readFlag(params, 'tools', 'feed', false),
    lens: readFlag(params, 'lens', 'feed', false),
    ...(server === undefined ? {} : { server }),
    ...(owner === undefined ? {} : { owner }),
    // Empty: of all servers.
    ...(typeof params.latency === 'string' ? { latency: params.latency } : {}),
    ...(isJsonObject(params.logs) ? { logs: readLogAsked(params.logs, 'feed') } : {}),
  }
}
