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
    // Behind the name of its scheme, where there is one.
    ...named.map(([, value]) => value.split(/[ \t]+/).at(-1) ?? value),
    ...partOf(url, maskText(url)),
    ...(oauth.clientSecret === undefined ? [] : [oauth.clientSecret]),
  ]
}

function partOf(text: string, masked: string): string[] {
  const found = findMasked(text, masked)
  return found === undefined ? [] : [found.secret]
}
