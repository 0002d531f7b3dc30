/** AES-256-GCM, bound to the name of the secret: a sealed text put under another name does not open. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createKey(): Buffer {
  return randomBytes(KEY_BYTES)
}

export function formatKey(key: Buffer): string {
  return key.toString('base64')
}

/** Undefined: it is no key of ours. */
export function parseKey(text: string): Buffer | undefined {
  const key = Buffer.from(text.trim(), 'base64')
  return key.length === KEY_BYTES ? key : undefined
}

/** Tells keys apart and says nothing of them. */
export function nameKey(key: Buffer): string {
  return createHash('sha256').update('switchboard key ').update(key).digest('hex').slice(0, 16)
}

export function seal(key: Buffer, name: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name))
  const sealed = [cipher.update(secret, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64')
}

/** Throws when it was sealed with another key or for another name, or was changed. */
export function unseal(key: Buffer, name: string, text: string): string {
  const bytes = Buffer.from(text, 'base64')
  const body = NONCE_BYTES + TAG_BYTES
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(NONCE_BYTES, body))
  return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString('utf8')
}
