/** The keychain of the system, for one small secret: the key that seals all others. It may ask the person to unlock it. */
export interface Keychain {
  /** Written down with the key. */
  readonly kind: 'secret-service' | 'macos'
  /** For a person. */
  readonly name: string
  /** Undefined: it works, and holds nothing for that account. Rejects when it cannot be asked. */
  read(account: string, signal: AbortSignal | undefined): Promise<string | undefined>
  write(account: string, secret: string, signal: AbortSignal | undefined): Promise<void>
}
