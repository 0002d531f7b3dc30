/** Switchboard's own tools, which a daemon serves beside those of its servers. No server can take their names. */

/** As a provider; no server may be called so. */
export const OWN_PROVIDER = 'switchboard'

/** Begins the name of a pack as a provider; no server may be called so either. */
export const PACK_PROVIDER_PREFIX = 'pack:'

export const OWN_TOOLS = ['mode_get_instructions', 'mode_status', 'switchboard_status', 'debug_get_logs'] as const

export type OwnTool = (typeof OWN_TOOLS)[number]
