export type { SecretPlace } from './secret-place.ts'
export { type SecretOptions, SecretStore, type SecretStoreOptions } from './secret-store.ts'
