/**
 * How other clients say what a login takes, in our words. A key without a meaning here would make another login than the one that was
 * meant, so it is no translation: where its client goes for a token, or comes back to, nobody else can guess.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { OAUTH_KEYS, RENAMED_OAUTH_KEYS } from '../server-fields.ts'
import { type TextPlace, translateText, UntranslatableError } from './translate-text.ts'

/** What others call it. */
const RENAMED: Readonly<Record<string, string>> = {
  ...RENAMED_OAUTH_KEYS,
  CLIENT_ID: 'clientId',
  CLIENT_SECRET: 'clientSecret',
  scope: 'scopes',
  authServerMetadataUrl: 'issuer',
  redirectUri: 'redirectPort',
}
const OURS = new Set(OAUTH_KEYS)

/** Of the keys `oauth` and `auth` of an entry. Undefined: it says nothing of a login. */
export function translateLogin(source: JsonObject, place: TextPlace): unknown {
  const key = source.oauth === undefined ? 'auth' : 'oauth'
  const written = source[key]
  if (written === false) return { enabled: false }
  if (!isJsonObject(written)) return key === 'oauth' ? written : refuseText(written)
  const login: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(written)) {
    if (value === false && name !== 'enabled') continue
    const ours = RENAMED[name] ?? name
    if (!OURS.has(ours)) throw untranslatable(`${key}.${name}`)
    // What is there under our own name wins.
    if (ours !== name && Object.hasOwn(written, ours)) continue
    login[ours] = translatePart(`${key}.${name}`, name, value, place)
    if (ours === 'redirectPort' && ours !== name) login.redirectHost ??= written.redirectHost ?? hostOf(name, value)
  }
  return login
}

/** A client that was registered for another program is known by that one's address. A port alone is Claude Code's, which says `localhost`. */
function hostOf(name: string, value: unknown): unknown {
  return name === 'redirectUri' ? URL.parse(String(value))?.hostname : 'localhost'
}

function translatePart(key: string, name: string, value: unknown, place: TextPlace): unknown {
  if (typeof value !== 'string') return value
  switch (name) {
    case 'scope':
    case 'scopes':
      return value.split(/[\s,]+/).filter((scope) => scope !== '')
    case 'authServerMetadataUrl':
      return issuerOf(value) ?? fail(key)
    case 'redirectUri':
      return portOf(value) ?? fail(key)
    default:
      return translateText(value, place)
  }
}

const WELL_KNOWN = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']

/** Where the metadata of an authorization server lies says who it is: the path of its issuer stands behind (RFC 8414) or before. */
function issuerOf(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || url.search !== '') return undefined
  const { origin, pathname } = url
  const mark = WELL_KNOWN.find((known) => `${pathname}/`.includes(`${known}/`))
  if (mark === undefined) return undefined
  const [before = '', behind = ''] = pathname.split(mark)
  return before === '' || behind === '' ? `${origin}${before}${behind}` : undefined
}

/** Ours is on this machine, at a path that is always the same. */
function portOf(address: string): number | undefined {
  const [, port] = /^http:\/\/(?:localhost|127\.0\.0\.1):(\d{1,5})\/callback$/.exec(address) ?? []
  return port === undefined ? undefined : Number(port)
}

function refuseText(written: unknown): undefined {
  if (written === undefined) return undefined
  throw new UntranslatableError('its client signs in to it ("auth")')
}

function fail(key: string): never {
  throw untranslatable(key)
}

function untranslatable(key: string): UntranslatableError {
  return new UntranslatableError(`its client signs in to it in a way of its own ("${key}")`)
}
