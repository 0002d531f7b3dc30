/** What has a secret written into the configuration itself, and not only the name of a variable that holds it. */
import { judgeName } from '@switchboard/base'
import { switchboardFile } from '@switchboard/daemon/configuration'
import type { ServerConfig } from '@switchboard/pool'
import { maskArguments, maskText } from '@switchboard/telemetry'

/** `mcpServers.github.env.TOKEN`, in the order of the file. Undefined: the text cannot be read, and may hold any. */
export function findWrittenSecrets(text: string, file: string): string[] | undefined {
  try {
    const options = { file, env: {}, baseDirectory: '/', unresolvedVariables: 'keep' } as const
    const { servers, daemon } = switchboardFile.read({ text, ...options })
    const own = isSecret('url', daemon.store ?? '') ? ['daemon.store'] : []
    return [...servers.flatMap((server) => findIn(server).map((key) => `mcpServers.${server.name}.${key}`)), ...own]
  } catch {
    return maskText(text) === text ? [] : undefined
  }
}

function findIn(server: ServerConfig): string[] {
  if (server.type !== 'stdio') {
    const { clientSecret } = server.oauth
    return [
      ...(isSecret('url', server.url) ? ['url'] : []),
      ...findNamed('headers', server.headers),
      ...findNamed('oauth', clientSecret === undefined ? {} : { clientSecret }),
    ]
  }
  const words = server.args.map(withoutVariables)
  const masked = maskArguments(words)
  const args = words.flatMap((word, index) => (word !== '' && word !== masked[index] ? [`args[${index}]`] : []))
  return [...args, ...findNamed('env', server.env)]
}

function findNamed(owner: string, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (isSecret(name, value) ? [`${owner}.${name}`] : []))
}

function isSecret(name: string, value: string): boolean {
  const written = withoutVariables(value)
  // `Bearer ${TOKEN}` says no more than how the variable is used.
  if (/^(?:bearer|basic|token)?$/i.test(written.trim())) return false
  return judgeName(name) === 'secret' || maskText(written) !== written
}

function withoutVariables(text: string): string {
  return text.replace(/\$\{[^{}]*\}/g, '')
}
