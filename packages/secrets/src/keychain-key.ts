/**
 * The key that seals the files. It is made once for a home, and lies in the keychain under a name that the home writes down; a
 * keychain has limits for what it takes, asks for each secret by itself and cannot exchange one in one step: files can.
 * Invariants
 * 1. A key is used only after the keychain gave it back.
 * 2. A key is never written over: one that is not found may be behind a lock that nobody opened (`secret-tool` cannot tell).
 */
import { randomUUID } from 'node:crypto'
import { errorMessage, writeFileAtomically } from '@switchboard/base'
import { readIfPresent, withFileLock } from '@switchboard/base/locked-file'
import { isJsonObject } from '@switchboard/protocol'
import type { Keychain } from './keychain/keychain.ts'
import { createKey, formatKey, parseKey } from './seal.ts'

export type KeyReading =
  | { readonly ok: true; readonly key: Buffer }
  | { readonly ok: false; readonly reason: string; readonly isMissing: boolean }

interface Options {
  readonly signal?: AbortSignal | undefined
}

const VERSION = 1
/** A keychain that nobody unlocked is not asked again for each secret. */
const ASK_AGAIN_AFTER = 30_000

export class KeychainKey {
  readonly #record: string
  readonly #keychain: Keychain | undefined
  #key: Buffer | undefined
  #refused: { readonly reason: string; readonly at: number } | undefined

  /** `record`: the file that says under which name the keychain has it. */
  constructor(record: string, find: () => Keychain | undefined) {
    this.#record = record
    this.#keychain = find()
  }

  get keychainName(): string {
    return this.#keychain?.name ?? 'keychain'
  }

  /** For opening what was sealed. */
  async read({ signal }: Options): Promise<KeyReading> {
    if (this.#key !== undefined) return { ok: true, key: this.#key }
    const keychain = this.#keychain
    if (keychain === undefined) return refuse('it is sealed with a key in a keychain, and this process has none')
    if (this.#refused !== undefined && performance.now() - this.#refused.at < ASK_AGAIN_AFTER) {
      return refuse(this.#refused.reason)
    }
    try {
      return await this.#ask(keychain, signal)
    } catch (error) {
      signal?.throwIfAborted()
      return this.#refuse(keychain, error)
    }
  }

  /** Undefined: there is no keychain, or it does not work. */
  async readOrCreate(options: Options): Promise<Buffer | undefined> {
    const found = await this.read(options)
    if (found.ok) return found.key
    const keychain = this.#keychain
    if (keychain === undefined || !found.isMissing) return undefined
    return withFileLock(this.#record, () => this.#create(keychain, options), { ...options, giveUpAfter: 120_000 })
  }

  async #ask(keychain: Keychain, signal: AbortSignal | undefined): Promise<KeyReading> {
    const account = await this.#readAccount()
    if (account === undefined) return { ok: false, reason: 'no key was made yet', isMissing: true }
    const key = parseKey((await keychain.read(account, signal)) ?? '')
    if (key === undefined)
      return { ok: false, reason: `the ${keychain.name} is locked, or no longer has its key`, isMissing: true }
    this.#key = key
    return { ok: true, key }
  }

  async #create(keychain: Keychain, { signal }: Options): Promise<Buffer | undefined> {
    try {
      // Another process may have made it while we waited for the lock.
      const found = await this.#ask(keychain, signal)
      if (found.ok) return found.key
      const account = randomUUID()
      const key = createKey()
      await keychain.write(account, formatKey(key), signal)
      if (!parseKey((await keychain.read(account, signal)) ?? '')?.equals(key)) {
        throw new Error('it did not give back what it was given')
      }
      // What is written was unlocked: the key of before may be there after all.
      const former = await this.#ask(keychain, signal)
      if (former.ok) return former.key
      const record = { version: VERSION, keychain: keychain.kind, account }
      await writeFileAtomically(this.#record, `${JSON.stringify(record, null, 2)}\n`, { flush: true })
      this.#key = key
      return key
    } catch (error) {
      signal?.throwIfAborted()
      this.#refuse(keychain, error)
      return undefined
    }
  }

  #refuse(keychain: Keychain, error: unknown): KeyReading {
    const reason = `the ${keychain.name} does not answer (${errorMessage(error)})`
    this.#refused = { reason, at: performance.now() }
    return refuse(reason)
  }

  async #readAccount(): Promise<string | undefined> {
    const content = await readIfPresent(this.#record)
    if (content === undefined) return undefined
    const value: unknown = JSON.parse(content)
    const account = isJsonObject(value) ? value.account : undefined
    if (typeof account === 'string' && /^[\w-]{1,64}$/.test(account)) return account
    throw new Error(`${this.#record} is damaged`)
  }
}

function refuse(reason: string): KeyReading {
  return { ok: false, reason, isMissing: false }
}
