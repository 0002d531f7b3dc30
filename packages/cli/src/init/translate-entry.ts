/**
 * An entry of a client as one of ours. What has another name here is renamed; what only the client reads is left out; what would
 * no longer do what it did (it asks a person, signs in by itself, depends on the window's folder) stays with its client, and
 * the reason is told.
 */
import type { ServerInput } from '@switchboard/pool'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { StaticEntry } from '../doctor/static/static-entry.ts'
import { type TextPlace, translateText, UntranslatableError } from './translate-text.ts'

export type Translation =
  | { readonly input: ServerInput; readonly dropped: readonly string[]; readonly reason?: undefined }
  | { readonly reason: string }

/** What is looked at of an entry. */
export type TranslatedEntry = Pick<StaticEntry, 'project' | 'command' | 'args' | 'url' | 'source'> &
  Pick<TextPlace, 'client'>

export interface TranslateOptions {
  readonly userHome: string
  /** Remote servers without a key of their own are taken as well: they may be such that the client has signed in to. */
  readonly isRemoteTaken: boolean
}

/** What is read below, or means nothing to anybody but the client. */
const KNOWN = new Set([
  ...['type', 'command', 'args', 'env', 'cwd', 'url', 'httpUrl', 'serverUrl', 'headers', 'timeout'],
  ...['http_headers', 'env_http_headers', 'bearer_token_env_var', 'env_vars'],
  ...['startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'],
  ...['includeTools', 'excludeTools', 'enabled_tools', 'disabled_tools', 'disabledTools', 'allowedTools'],
  ...['alwaysAllow', 'autoApprove', 'trust', 'description', 'icon', 'tags', 'gallery', 'version', 'source'],
  ...['watchPaths', 'disabled', 'enabled', 'name', 'required', 'dev', 'displayName', 'default_tools_approval_mode'],
])

/** What a server would lack without its client. */
const CLIENTS_OWN: Readonly<Record<string, string>> = {
  envFile: 'it reads its variables from a file',
  headersHelper: 'its client runs a program for its headers',
  oauth: 'its client signs in to it',
  auth: 'its client signs in to it',
  authProviderType: 'its client signs in to it',
  sandbox: 'its client locks it in',
  sandboxEnabled: 'its client locks it in',
}

export function translateEntry(entry: TranslatedEntry, options: TranslateOptions): Translation {
  // `toEntry` takes nothing else.
  const source = isJsonObject(entry.source) ? entry.source : {}
  const [key] = Object.keys(CLIENTS_OWN).filter((name) => source[name] !== undefined && source[name] !== false)
  if (key !== undefined) return { reason: `${CLIENTS_OWN[key]} ("${key}")` }
  const place = { client: entry.client, project: entry.project, userHome: options.userHome }
  try {
    const input = entry.command === undefined ? readRemote(entry, source, place) : readLocal(entry, source, place)
    const reason = findReason(entry, input, options)
    if (reason !== undefined) return { reason }
    return { input, dropped: Object.keys(source).filter((name) => !KNOWN.has(name)) }
  } catch (error) {
    if (error instanceof UntranslatableError) return { reason: error.message }
    throw error
  }
}

function findReason(
  { client, project }: TranslatedEntry,
  input: ServerInput,
  { isRemoteTaken }: TranslateOptions,
): string | undefined {
  if (input.url !== undefined) {
    const hasKey = Object.keys(input.headers ?? {}).length > 0 || /[?&]/.test(input.url)
    if (isRemoteTaken || hasKey || isLoopback(input.url)) return undefined
    return 'it is remote and has no key, so its client may have signed in to it; --remote takes it all the same'
  }
  if (client === 'pasted' || project !== undefined) return undefined
  if (input.cwd !== undefined) {
    return isWhole(input.cwd) ? undefined : `its folder, "${input.cwd}", depends on that of the window`
  }
  const relative = [input.command ?? '', ...(input.args ?? [])].find((word) => /^\.{1,2}(?:[/\\]|$)/.test(word))
  return relative === undefined ? undefined : `"${relative}" depends on the folder of the window`
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

function readLocal(entry: TranslatedEntry, source: JsonObject, place: TextPlace): ServerInput {
  // Zed once nested the program below `command`, with its environment.
  const nested = isJsonObject(source.command) ? source.command : source
  const passed = readNames(source.env_vars).map((name): [string, string] => [name, `\${${name}}`])
  const env = { ...Object.fromEntries(passed), ...translateValues(nested.env, place) }
  const cwd = typeof source.cwd === 'string' ? translateText(source.cwd, place) : entry.project
  return clean({
    command: translateText(entry.command ?? '', place),
    args: entry.args.map((word) => translateText(word, place)),
    env,
    cwd: cwd === undefined || entry.project === undefined ? cwd : resolveIn(entry.project, cwd),
    ...readLimits(entry, source),
  })
}

function resolveIn(project: string, cwd: string): string {
  return isWhole(cwd) ? cwd : `${project}/${cwd}`
}

/** A path that means the same from everywhere. */
function isWhole(path: string): boolean {
  return /^(?:[/~\\]|[A-Za-z]:|\$\{)/.test(path)
}

/** Codex names variables, or says of each where it comes from. */
function readNames(list: unknown): string[] {
  const named = Array.isArray(list) ? list.map((item) => (isJsonObject(item) ? item.name : item)) : []
  return readTexts(named)
}

function readRemote(entry: TranslatedEntry, source: JsonObject, place: TextPlace): ServerInput {
  const variables = Object.entries(translateValues(source.env_http_headers, place))
  const token = source.bearer_token_env_var
  const headers = {
    ...translateValues(source.headers, place),
    ...translateValues(source.http_headers, place),
    ...Object.fromEntries(variables.map(([name, variable]) => [name, `\${${variable}}`])),
    ...(typeof token === 'string' ? { Authorization: `Bearer \${${token}}` } : {}),
  }
  const type = readType(entry, source)
  return clean({
    ...(type === undefined ? {} : { type }),
    url: translateText(entry.url ?? '', place),
    headers,
    ...readLimits(entry, source),
  })
}

function readType({ client }: TranslatedEntry, { type, url }: JsonObject): 'http' | 'sse' | 'websocket' | undefined {
  if (type === 'sse' || type === 'http' || type === 'websocket') return type
  if (type === 'ws') return 'websocket'
  if (type === 'streamable-http' || type === 'streamableHttp') return 'http'
  // There `url` is that of a server of events, and `httpUrl` the other.
  return client === 'gemini' && typeof url === 'string' ? 'sse' : undefined
}

/** Budgets and rules for tools. */
function readLimits({ client }: TranslatedEntry, source: JsonObject): Partial<ServerInput> {
  const { timeout, startup_timeout_sec, startup_timeout_ms, tool_timeout_sec } = source
  const seconds = (value: unknown): number | undefined => (isBudget(value) ? Math.round(value * 1000) : undefined)
  const milliseconds = (value: unknown): number | undefined => (isBudget(value) ? Math.round(value) : undefined)
  const isCounted = client === 'gemini' || client === 'claude-code' || client === 'pasted'
  const allow = [source.includeTools, source.enabled_tools, source.allowedTools].find(Array.isArray)
  const deny = [source.excludeTools, source.disabled_tools, source.disabledTools].find(Array.isArray)
  // `name(arguments)` is what Gemini understands.
  const names = (list: unknown): string[] => readTexts(list).map((name) => name.split('(')[0] ?? name)
  const denied = allow !== undefined && names(allow).length === 0 ? ['*'] : names(deny)
  const tools = {
    ...(allow === undefined || names(allow).length === 0 ? {} : { allow: names(allow) }),
    ...(denied.length === 0 ? {} : { deny: denied }),
  }
  return {
    timeout: seconds(tool_timeout_sec) ?? (isCounted ? milliseconds(timeout) : undefined),
    initTimeout: seconds(startup_timeout_sec) ?? milliseconds(startup_timeout_ms),
    tools: Object.keys(tools).length === 0 ? undefined : tools,
  } as Partial<ServerInput> // What is undefined is taken out below.
}

function isBudget(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1e9
}

function translateValues(values: unknown, place: TextPlace): Record<string, string> {
  if (!isJsonObject(values)) return {}
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, translateText(String(value), place)]] : [],
    ),
  )
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Without what says nothing. */
function clean(input: { readonly [Key in keyof ServerInput]: ServerInput[Key] | undefined }): ServerInput {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !isEmpty(value))) as ServerInput
}
