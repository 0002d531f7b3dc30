import { SwitchboardError } from '@switchboard/protocol/errors'

export type ConfiguredHeaders = Readonly<Record<string, string>>

export interface RemoteTarget {
  readonly url: URL
  /** For messages and logs: without credentials and query, which may hold secrets. */
  readonly text: string
  /** Configured headers, names in lower case, with the URL's credentials as basic authorization. */
  readonly headers: ConfiguredHeaders
}

export function parseRemoteTarget(
  url: string,
  headers: ConfiguredHeaders | undefined,
  schemes: readonly string[],
): RemoteTarget {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch (error) {
    throw new SwitchboardError('invalid_configuration', `"${withoutQuery(url)}" is not a URL; correct \`url\``, {
      cause: error,
    })
  }
  if (!schemes.includes(parsed.protocol)) {
    const expected = schemes.map((scheme) => `${scheme}//`).join(' or ')
    throw new SwitchboardError(
      'invalid_configuration',
      `the url ${describeUrl(parsed)} does not begin with ${expected}; correct \`url\` or \`type\``,
    )
  }
  const lowerCased: Record<string, string> = {}
  if (parsed.username !== '' || parsed.password !== '') {
    const credentials = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
    lowerCased.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
    parsed.username = ''
    parsed.password = ''
  }
  for (const [name, value] of Object.entries(headers ?? {})) lowerCased[name.toLowerCase()] = value
  return { url: parsed, text: describeUrl(parsed), headers: lowerCased }
}

export function describeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '').replace(/\/\/[^/@]*@/, '//')
}
