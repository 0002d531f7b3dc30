/**
 * The bearer tokens that `switchboard token` hands out. On disk are only their SHA-256 hashes; the text is shown once.
 *
 * Invariants
 * 1. A revoked or expired token is refused from the next request on, whichever process revoked it.
 * 2. A token file that cannot be read or understood is an error; it never means that there are no tokens, or no rules.
 * 3. Whether a token is good is decided by a comparison whose time does not depend on the texts compared.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { statSync } from 'node:fs'
import { changeFile, FileLockedError, readIfPresent } from '@switchboard/base/locked-file'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { formatTokenFile, parseTokenFile, type StoredToken } from './token-file.ts'

/** What may be shown of a token. */
export type TokenInfo = Omit<StoredToken, 'hash'>

export interface NewToken {
  readonly name: string
  /** The only profile it may use; absent: any. */
  readonly profile?: string
  /** Milliseconds since 1970; absent: never. */
  readonly expires?: number
}

export type TokenReading =
  | { readonly ok: true; readonly token: TokenInfo }
  | { readonly ok: false; readonly reason: 'unknown' | 'expired' }

export interface TokenStoreOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Milliseconds between two writes of `lastUsed`. Default: one minute. */
  readonly lastUsedEvery?: number
  /** `lastUsed` could not be written; the token was good all the same. */
  onWriteFailed?(error: unknown): void
}

export const TOKEN_PREFIX = 'sbt_'
const TOKEN = /^sbt_([0-9a-z]{10})_[A-Za-z0-9_-]{43}$/
const ID_LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz'
const MAX_NAME_LENGTH = 100
/** File times are coarse: a file this young may change once more without looking different. */
const RACY_FOR = 2_000
const NO_HASH = Buffer.alloc(32)

interface Loaded {
  readonly stamp: string
  readonly settled: boolean
  readonly tokens: ReadonlyMap<string, StoredToken>
}

export class TokenStore {
  readonly file: string
  readonly #options: TokenStoreOptions
  readonly #now: () => number
  readonly #used = new Map<string, number>()
  #loaded: Loaded | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(file: string, options: TokenStoreOptions = {}) {
    this.file = file
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** The text is in nobody's hands but the caller's: it cannot be shown again. */
  async create({ name, profile, expires }: NewToken): Promise<{ text: string; token: TokenInfo }> {
    checkName(name)
    if (expires !== undefined && !(Number.isFinite(expires) && expires > this.#now())) {
      throw new SwitchboardError('invalid_configuration', `The token would have expired already: ${expires}`)
    }
    let created: { text: string; token: TokenInfo } | undefined
    await this.#change((tokens) => {
      const id = createId(tokens)
      const text = `${TOKEN_PREFIX}${id}_${randomBytes(32).toString('base64url')}`
      const token: TokenInfo = {
        id,
        name,
        created: this.#now(),
        ...(profile === undefined ? {} : { profile }),
        ...(expires === undefined ? {} : { expires }),
      }
      tokens.set(id, { ...token, hash: hashOf(text).toString('hex') })
      created = { text, token }
      return true
    })
    if (created === undefined) throw new SwitchboardError('internal', 'No token was created')
    return created
  }

  /** In the order in which they were created. */
  async list(): Promise<TokenInfo[]> {
    const { tokens } = await this.#load()
    return [...tokens.values()].map((token) => toInfo(token, this.#used.get(token.id)))
  }

  /** By id, or by a name that only one has. False: there is none. */
  async revoke(idOrName: string): Promise<boolean> {
    let revoked = false
    await this.#change((tokens) => {
      const named = [...tokens.values()].filter(({ name }) => name === idOrName)
      if (!tokens.has(idOrName) && named.length > 1) {
        throw new SwitchboardError('invalid_configuration', `${named.length} tokens are named "${idOrName}"`, {
          hint: `Revoke one by its id: ${named.map(({ id }) => id).join(', ')}.`,
        })
      }
      const id = tokens.has(idOrName) ? idOrName : named[0]?.id
      revoked = id !== undefined && tokens.delete(id)
      return revoked
    })
    return revoked
  }

  /** Rejects with `invalid_configuration` when the file is damaged: then nobody is let in by it. */
  async verify(text: string): Promise<TokenReading> {
    const now = this.#now()
    const reading = await this.#check(text, now)
    if (!reading.ok) return reading
    this.#noteUse(reading.token.id, now)
    return { ok: true, token: { ...reading.token, lastUsed: now } }
  }

  /** The same, by somebody who only wants to know: it does not count as a use. */
  async isGood(text: string): Promise<boolean> {
    return (await this.#check(text, this.#now())).ok
  }

  /** Writes what is known of last uses, and forgets its timer. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writeUses()
  }

  async #check(text: string, now: number): Promise<TokenReading> {
    const [, id = ''] = TOKEN.exec(text) ?? []
    const { tokens } = await this.#load()
    const stored = tokens.get(id)
    const expected = stored === undefined ? NO_HASH : Buffer.from(stored.hash, 'hex')
    const isEqual = timingSafeEqual(hashOf(text), expected)
    if (stored === undefined || !isEqual) return { ok: false, reason: 'unknown' }
    if (stored.expires !== undefined && stored.expires <= now) return { ok: false, reason: 'expired' }
    return { ok: true, token: toInfo(stored, stored.lastUsed) }
  }

  #noteUse(id: string, now: number): void {
    this.#used.set(id, now)
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#writeUses()
    }, this.#options.lastUsedEvery ?? 60_000)
    this.#timer.unref()
  }

  async #writeUses(): Promise<void> {
    if (this.#used.size === 0) return
    const uses = [...this.#used]
    try {
      await this.#change((tokens) => {
        let changed = false
        for (const [id, lastUsed] of uses) {
          const token = tokens.get(id)
          // One that was revoked meanwhile stays so.
          if (token === undefined || (token.lastUsed ?? 0) >= lastUsed) continue
          tokens.set(id, { ...token, lastUsed })
          changed = true
        }
        return changed
      })
      for (const [id, lastUsed] of uses) if (this.#used.get(id) === lastUsed) this.#used.delete(id)
    } catch (error) {
      this.#options.onWriteFailed?.(error)
    }
  }

  async #change(change: (tokens: Map<string, StoredToken>) => boolean): Promise<void> {
    try {
      await changeFile(this.file, (content) => {
        const tokens = parseTokenFile(content, this.file)
        return change(tokens) ? formatTokenFile(tokens) : undefined
      })
    } catch (error) {
      if (!(error instanceof FileLockedError)) throw error
      throw new SwitchboardError('invalid_configuration', error.message, {
        hint: 'End that process, or delete the lock file when there is none.',
        cause: error,
      })
    }
  }

  async #load(): Promise<Loaded> {
    const stamp = this.#stamp()
    if (this.#loaded?.settled === true && this.#loaded.stamp === stamp.text) return this.#loaded
    const content = await this.#read()
    const loaded: Loaded = {
      stamp: stamp.text,
      settled: Math.abs(Date.now() - stamp.changed) > RACY_FOR,
      tokens: parseTokenFile(content, this.file),
    }
    this.#loaded = loaded
    return loaded
  }

  async #read(): Promise<string | undefined> {
    try {
      return await readIfPresent(this.file)
    } catch (error) {
      throw new SwitchboardError(
        'invalid_configuration',
        `The token file ${this.file} cannot be read: ${String(error)}`,
      )
    }
  }

  /** Taken before reading: a change in between is then seen next time. */
  #stamp(): { text: string; changed: number } {
    // Synchronous on purpose: one call of microseconds on every request, where a round through the thread pool costs more.
    const stats = statSync(this.file, { bigint: true, throwIfNoEntry: false })
    if (stats === undefined) return { text: 'none', changed: 0 }
    const text = `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`
    return { text, changed: Number(stats.mtimeMs) }
  }
}

function checkName(name: string): void {
  if (name.trim() !== '' && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return
  throw new SwitchboardError(
    'invalid_configuration',
    `A token needs a name of 1 to ${MAX_NAME_LENGTH} printable characters; got ${JSON.stringify(name.slice(0, 200))}`,
  )
}

function createId(taken: ReadonlyMap<string, unknown>): string {
  while (true) {
    const bytes = randomBytes(10)
    // 256 is not a multiple of 36; an id is no secret, so the slight bias is harmless.
    const id = Array.from(bytes, (byte) => ID_LETTERS.charAt(byte % ID_LETTERS.length)).join('')
    if (!taken.has(id)) return id
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function toInfo({ hash: _secret, ...info }: StoredToken, lastUsed: number | undefined): TokenInfo {
  return lastUsed === undefined ? info : { ...info, lastUsed }
}
