/** On request, secrets of the servers that are taken over become references to variables of Switchboard's environment. */
import { judgeName } from '@switchboard/base'
import type { ServerInput } from '@switchboard/pool'
import { findMasked, maskArguments, maskText } from '@switchboard/telemetry'
import type { ChosenServer } from './choose-servers.ts'

export interface VariableNeed {
  readonly variable: string
  readonly server: string
  /** `env.TOKEN`, `headers.Authorization`, `oauth.clientSecret`, `args[1]`, `url` */
  readonly key: string
}

/** What a variable for it is called. */
const CALLED: Readonly<Record<string, string>> = { Authorization: 'token', clientSecret: 'client_secret' }

export function useVariables(servers: readonly ChosenServer[]): { servers: ChosenServer[]; variables: VariableNeed[] } {
  const values = new Map<string, string>()
  const variables: VariableNeed[] = []
  /** The same name for the same value, and for nothing else. */
  const nameFor = (wish: string, server: string, value: string): string => {
    const words = [wish, `${server}_${wish}`].map((text) =>
      text
        .toUpperCase()
        .replace(/[^A-Z0-9]+/g, '_')
        .replace(/^(?=\d)/, '_'),
    )
    const free = words.find((name) => !values.has(name) || values.get(name) === value)
    const name = free ?? `${words.at(-1)}_${values.size}`
    values.set(name, value)
    return name
  }
  const translate = (owner: 'env' | 'headers' | 'oauth', server: string, texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => {
        const [scheme = ''] = /^(?:bearer|basic|token)[ \t]+/i.exec(text) ?? []
        const secret = text.slice(scheme.length)
        if (secret === '' || secret.includes('${') || !isSecret(key, text)) return [key, text]
        const wish = owner === 'env' ? key : `${server}_${CALLED[key] ?? key}`
        const variable = nameFor(wish, server, secret)
        variables.push({ variable, server, key: `${owner}.${key}` })
        return [key, `${scheme}\${${variable}}`]
      }),
    )
  /** What a screen would mask of a text: an argument behind its option, a part of an address. */
  const replace = (server: string, key: string, text: string, masked: string, before = ''): string => {
    const found = text.includes('${') ? undefined : findMasked(text, masked)
    if (found === undefined) return text
    const { start, secret, end } = found
    const named =
      (start === '' ? before : start)
        .replace(/=$/, '')
        .split(/[^\w-]/)
        .at(-1) ?? ''
    const wish = named.replace(/^-+/, '') || `${server}_secret`
    const variable = nameFor(wish, server, secret)
    variables.push({ variable, server, key })
    return `${start}\${${variable}}${end}`
  }
  const changed = servers.map((server): ChosenServer => {
    if (!server.isNew) return server
    const { name } = server
    const { args, env, headers, url, oauth } = server.input
    const masked = maskArguments(args ?? [])
    const input: ServerInput = {
      ...server.input,
      ...(args === undefined
        ? {}
        : { args: args.map((word, at) => replace(name, `args[${at}]`, word, masked[at] ?? word, args[at - 1])) }),
      ...(url === undefined ? {} : { url: replace(name, 'url', url, maskText(url)) }),
      ...(env === undefined ? {} : { env: translate('env', server.name, env) }),
      ...(headers === undefined ? {} : { headers: translate('headers', server.name, headers) }),
      ...(oauth?.clientSecret === undefined
        ? {}
        : { oauth: { ...oauth, ...translate('oauth', server.name, { clientSecret: oauth.clientSecret }) } }),
    }
    return { ...server, input }
  })
  return { servers: changed, variables }
}

function isSecret(name: string, value: string): boolean {
  return judgeName(name) !== 'plain' || maskText(value) !== value
}
