/** The configuration of a pool that is used as a library; the daemon's file has more sections than ours. */
import { createConfigFile } from '@switchboard/config/file'
import { poolSection } from './pool-section.ts'

const poolFile = createConfigFile({
  title: 'Pool configuration',
  description: 'The MCP servers of a pool. Comments and trailing commas are allowed.',
  sections: [poolSection],
})

type Written = Parameters<typeof poolFile.check>[0]

/** What a person writes. */
export interface McpPoolInput extends Written {}

export const loadPoolConfig = poolFile.load
export const checkPoolConfig = poolFile.check
export const readPoolConfig = poolFile.read
