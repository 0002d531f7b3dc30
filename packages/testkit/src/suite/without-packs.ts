const off = { enabled: false } as const

/** For `packs` of a configuration: no built-in tools but our own, so that what a test sees is its servers'. */
export const WITHOUT_PACKS = { debug: off, lens: off, memory: off } as const
