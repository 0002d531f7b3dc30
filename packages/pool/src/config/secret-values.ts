/** What of the configuration of a server is secret, by its values: whoever says one back is not shown with it. */
import { judgeName } from '@switchboard/base'
import { findMasked, maskArguments, maskText, readEnvironmentSecrets } from '@switchboard/telemetry'
import type { ServerConfig } from './server-config.ts'

export function listSecretValues(config: ServerConfig): string[] {
  if (config.type === 'stdio') {
    const masked = maskArguments([config.command, ...config.args]).slice(1)
    const env = { ...(config.inheritEnv ? process.env : {}), ...config.env }
    return [...readEnvironmentSecrets(env), ...config.args.flatMap((word, at) => partOf(word, masked[at] ?? word))]
  }
  const { headers, url, oauth } = config
  const named = Object.entries(headers).filter(([name]) => judgeName(name) !== 'plain')
  return [
    ...named.map(([, value]) => SCHEME_AND_SECRET.exec(value)?.[1] ?? value),
    ...partOf(url, maskText(url)),
    ...(oauth.clientSecret === undefined ? [] : [oauth.clientSecret]),
  ]
}

/** `Bearer abc`; what has more words is no such thing. */
const SCHEME_AND_SECRET = /^[A-Za-z][A-Za-z0-9-]{0,20}[ \t]{1,4}(\S+)$/

function partOf(text: string, masked: string): string[] {
  const found = findMasked(text, masked)
  return found === undefined ? [] : [found.secret]
}
