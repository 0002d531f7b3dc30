/** What a server says of the login that it wants: the header `WWW-Authenticate` (RFC 9110, RFC 6750, RFC 9728). */

export interface Challenge {
  /** In lower case; undefined: it sent no challenge. */
  readonly scheme: string | undefined
  readonly resourceMetadata: string | undefined
  readonly scope: string | undefined
  readonly error: string | undefined
}

const NONE: Challenge = { scheme: undefined, resourceMetadata: undefined, scope: undefined, error: undefined }
/** Longer ones are cut: nobody writes them. */
const MAX_LENGTH = 8_192
/** One parameter, or the name of a scheme in front of its first one. */
const PART = /([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g

/** Of several challenges that of a token (Bearer) is the one that counts. */
export function readChallenge(header: string | undefined): Challenge {
  const challenges: { scheme: string; values: Map<string, string> }[] = []
  for (const [, name = '', quoted, plain] of (header ?? '').slice(0, MAX_LENGTH).matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), values: new Map() })
    else challenges.at(-1)?.values.set(name.toLowerCase(), value)
  }
  const found = challenges.find(({ scheme }) => scheme === 'bearer') ?? challenges[0]
  if (found === undefined) return NONE
  const { scheme, values } = found
  const read = (name: string): string | undefined => values.get(name)
  return { scheme, resourceMetadata: read('resource_metadata'), scope: read('scope'), error: read('error') }
}

/** The same rights again are no more than they were. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap((scope) => scope?.split(' ').filter((part) => part !== '') ?? []))
  return all.size === 0 ? undefined : [...all].join(' ')
}
