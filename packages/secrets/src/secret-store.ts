/**
 * What a person has to keep secret and a program needs again: tokens of remote servers, values that were typed in once.
 *
 * Invariants
 * 1. A secret lies in a file of its own (0600, in a folder that is 0700), sealed with a key in the keychain of the system where
 *    there is one. Without one it lies there in the clear, for its owner alone; `place` says which it is.
 * 2. A reader sees the old secret or the new one. `set` has written it to the disk when it is done, so a kill loses nothing.
 * 3. No secret is an argument of a program, a part of a file's name or of an error.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensurePrivateFolder, errorCode, writeFileAtomically } from '@switchboard/base'
import { readIfPresent, withFileLock } from '@switchboard/base/locked-file'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { findKeychain } from './keychain/find-keychain.ts'
import { KeychainKey } from './keychain-key.ts'
import { nameKey, seal, unseal } from './seal.ts'
import {
  formatSecretFile,
  isSecretFileName,
  parseSecretFile,
  type SealedSecret,
  secretFileName,
} from './secret-file.ts'
import type { SecretPlace } from './secret-place.ts'

export interface SecretStoreOptions {
  /** `<home>/secrets`; made when the first secret is kept. */
  readonly folder: string
  /** `off`: the files are not sealed, though there may be a keychain. Default: auto. */
  readonly keychain?: 'auto' | 'off'
  readonly env?: Readonly<Record<string, string | undefined>>
}

export interface SecretOptions {
  readonly signal?: AbortSignal | undefined
}

const MAX_NAME_LENGTH = 300

export class SecretStore {
  readonly #folder: string
  readonly #key: KeychainKey

  constructor({ folder, keychain = 'auto', env = process.env }: SecretStoreOptions) {
    this.#folder = folder
    const find = () => (keychain === 'off' ? undefined : findKeychain(env))
    this.#key = new KeychainKey(join(folder, 'keychain.json'), find)
  }

  /** Undefined: none of that name is kept. Rejects with `secret_unreadable` when one is and cannot be read. */
  async get(name: string, options: SecretOptions = {}): Promise<string | undefined> {
    const content = await readIfPresent(this.#fileOf(name))
    if (content === undefined) return undefined
    const file = parseSecretFile(content)
    if (file?.name !== name) throw unreadable(name, 'its file is damaged')
    return 'secret' in file ? file.secret : this.#open(file, options)
  }

  async set(name: string, secret: string, options: SecretOptions = {}): Promise<void> {
    const path = this.#fileOf(name)
    await ensurePrivateFolder(this.#folder)
    const key = await this.#key.readOrCreate(options)
    const file = key === undefined ? { name, secret } : { name, sealed: seal(key, name, secret), key: nameKey(key) }
    await writeFileAtomically(path, formatSecretFile(file), { flush: true })
  }

  /** False: there was none. */
  async delete(name: string): Promise<boolean> {
    try {
      await rm(this.#fileOf(name))
      return true
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
  }

  /** Of all that are kept, in order. Files that are none of ours are passed over. */
  async names(): Promise<string[]> {
    let files: string[]
    try {
      files = await readdir(this.#folder)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    }
    const contents = await Promise.all(
      files.filter(isSecretFileName).map((file) => readIfPresent(join(this.#folder, file))),
    )
    return contents.flatMap((content) => parseSecretFile(content ?? '')?.name ?? []).sort()
  }

  /**
   * Nobody else who asks for the same name, in this process or another, works at the same time: for a secret that is exchanged
   * for a new one, and that only once. Rejects with FileLockedError.
   */
  exclusively<T>(name: string, work: () => Promise<T>, { signal }: SecretOptions = {}): Promise<T> {
    return withFileLock(this.#fileOf(name), work, { signal, giveUpAfter: 120_000 })
  }

  /** Asks the keychain, and makes what is needed there. */
  async place(options: SecretOptions = {}): Promise<SecretPlace> {
    await ensurePrivateFolder(this.#folder)
    const key = await this.#key.readOrCreate(options)
    if (key === undefined) return { kind: 'file', text: `files in ${this.#folder} that only you may read (0600)` }
    const text = `files in ${this.#folder}, sealed with a key in the ${this.#key.keychainName}`
    return { kind: 'keychain', text }
  }

  async #open({ name, sealed, key }: SealedSecret, options: SecretOptions): Promise<string> {
    const found = await this.#key.read(options)
    if (!found.ok) throw unreadable(name, found.reason)
    if (key !== nameKey(found.key))
      throw unreadable(name, 'the keychain holds another key than the one it was sealed with')
    try {
      return unseal(found.key, name, sealed)
    } catch {
      throw unreadable(name, 'its file was changed')
    }
  }

  #fileOf(name: string): string {
    if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
      throw new SwitchboardError('internal', `A secret needs a name of 1 to ${MAX_NAME_LENGTH} printable characters`)
    }
    return join(this.#folder, secretFileName(name))
  }
}

function unreadable(name: string, why: string): SwitchboardError {
  return new SwitchboardError('secret_unreadable', `The kept secret "${name}" cannot be read: ${why}`, {
    details: { secret: name },
  })
}
