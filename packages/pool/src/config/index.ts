export { type MisconfiguredServer, type PoolConfig, poolSection } from './pool-section.ts'
export { PRESETS } from './presets.ts'
export type { ServerConfig } from './server-config.ts'
export { SERVER_KEYS, type ServerInput } from './server-fields.ts'
