import { PACK_PROVIDER_PREFIX } from '@switchboard/protocol'
import { manifest } from './generated/manifest.ts'

/** What an agent needs to debug, by `mcp.core`. The rest is for those who ask for all: a long list costs every agent, every time. */
export const CORE_DEBUG_TOOLS: readonly string[] = manifest.tools.filter(({ core }) => core).map(({ name }) => name)

/** As the router and profiles name the pack. */
export const DEBUG_PROVIDER = `${PACK_PROVIDER_PREFIX}debug`
