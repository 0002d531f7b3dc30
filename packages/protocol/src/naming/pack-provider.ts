/** How packs are named as providers, so that no server can be taken for one. */

/** The pack of Switchboard's own tools, as a provider; no server may be called so. */
export const OWN_PROVIDER = 'switchboard'

/** Begins the name of a pack as a provider; no server may be called so either. */
export const PACK_PROVIDER_PREFIX = 'pack:'

/** A pack as a provider, by its name. */
export function toPackProvider(pack: string): string {
  return pack === OWN_PROVIDER ? OWN_PROVIDER : `${PACK_PROVIDER_PREFIX}${pack}`
}

/** Whether a provider of that name is a pack, which no server can be called as. */
export function isPackProvider(name: string): boolean {
  return name === OWN_PROVIDER || name.startsWith(PACK_PROVIDER_PREFIX)
}
