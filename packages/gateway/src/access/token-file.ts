/** The format of the token file. Read strictly: a file that was damaged or edited wrongly must not pass for an empty one. */
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'

export interface StoredToken {
  readonly id: string
  readonly name: string
  /** SHA-256 of the whole text, in hex. */
  readonly hash: string
  /** Milliseconds since 1970, as are the others. */
  readonly created: number
  /** Written now and then, so the last uses may be missing after a crash. */
  readonly lastUsed?: number
  readonly profile?: string
  readonly expires?: number
}

const VERSION = 1

export function formatTokenFile(tokens: ReadonlyMap<string, StoredToken>): string {
  return `${JSON.stringify({ version: VERSION, tokens: [...tokens.values()] }, null, 2)}\n`
}

/** Throws `invalid_configuration`. No file at all is no tokens. */
export function parseTokenFile(content: string | undefined, file: string): Map<string, StoredToken> {
  if (content === undefined) return new Map()
  const value = parseJson(content, file)
  if (!isJsonObject(value) || value.version !== VERSION || !Array.isArray(value.tokens)) {
    throw refuse(file, `it is not an object with \`version: ${VERSION}\` and \`tokens\``)
  }
  const tokens = new Map<string, StoredToken>()
  for (const [index, token] of value.tokens.entries()) {
    if (!isStoredToken(token)) throw refuse(file, `its entry ${index} is not a token`)
    if (tokens.has(token.id)) throw refuse(file, `the id ${token.id} is in it twice`)
    tokens.set(token.id, token)
  }
  return tokens
}

function parseJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw refuse(file, 'it is not JSON')
  }
}

function isStoredToken(value: unknown): value is StoredToken {
  if (!isJsonObject(value)) return false
  const { id, name, hash, created, lastUsed, profile, expires } = value
  return (
    typeof id === 'string' &&
    /^[0-9a-z]{10}$/.test(id) &&
    typeof name === 'string' &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    typeof created === 'number' &&
    (lastUsed === undefined || typeof lastUsed === 'number') &&
    (profile === undefined || typeof profile === 'string') &&
    (expires === undefined || typeof expires === 'number')
  )
}

function refuse(file: string, why: string): SwitchboardError {
  return new SwitchboardError('invalid_configuration', `The token file ${file} is damaged: ${why}`, {
    hint: 'Restore it, or delete it and create new tokens; until then no token is accepted.',
  })
}
