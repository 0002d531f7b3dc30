/**
 * An entry of another client as one of ours: the one place that knows what the keys of others mean. `switchboard init`,
 * `switchboard server add` and the reader of a project's `.mcp.json` all come here.
 *
 * 1. What has another name here is renamed; a key of ours keeps what it says.
 * 2. What only the client reads is left out, and named.
 * 3. What the server would lack without its client throws UntranslatableError.
 * 4. What has a wrong shape is handed on as it stands, so that whoever checks the entry refuses it: it is never dropped in silence.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { IGNORED_KEYS, SERVER_KEYS, type ServerInput } from '../server-fields.ts'
import { translateLogin } from './translate-login.ts'
import { type TextPlace, translateText, UntranslatableError } from './translate-text.ts'

export interface TranslatedEntry {
  /** Not checked yet. */
  readonly input: ServerInput
  /** Its keys that mean nothing here. */
  readonly dropped: readonly string[]
}

/** What an entry runs, or where it leads. */
export interface Started {
  readonly command: string | undefined
  readonly args: readonly string[]
  readonly url: string | undefined
}

/** What a server would lack without its client. */
const CLIENTS_OWN: Readonly<Record<string, string>> = {
  headersHelper: 'its client runs a program for its headers',
  authProviderType: 'its client signs in to it',
  sandbox: 'its client locks it in',
  sandboxEnabled: 'its client locks it in',
}

/** What is read below, besides the keys that are ours as well. */
const READ_KEYS = [
  ...['httpUrl', 'serverUrl', 'http_headers', 'env_http_headers', 'bearer_token_env_var', 'env_vars', 'auth'],
  ...['startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'],
  ...['includeTools', 'excludeTools', 'enabled_tools', 'disabled_tools', 'disabledTools', 'allowedTools'],
]

/** What nobody misses: it says how the client shows the server, or is said by where the entry stands. */
const UNSAID_KEYS = [
  ...Object.keys(IGNORED_KEYS),
  ...['name', 'displayName', 'required', 'dev', 'default_tools_approval_mode'],
]

const MEANT = new Set([...SERVER_KEYS, ...READ_KEYS, ...Object.keys(CLIENTS_OWN)])
const NOT_TOLD = new Set([...MEANT, ...UNSAID_KEYS])

/** Those that have their own reader below; the other keys of ours are taken as they are. */
const TRANSLATED = new Set(['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth', 'timeout', 'tools'])
const OWN_KEYS = SERVER_KEYS.filter((key) => !TRANSLATED.has(key))

/** What of an entry decides what becomes of it here. */
export function pickMeant(source: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => MEANT.has(key)))
}

/** What an entry runs or where it leads, whoever wrote it. Undefined: it is no entry. */
export function readStarted(value: JsonObject): Started | undefined {
  // Zed once nested the program below `command`.
  const nested = isJsonObject(value.command) ? value.command : undefined
  const command = nested === undefined ? value.command : nested.path
  const args = nested === undefined ? value.args : nested.args
  const url = [value.url, value.httpUrl, value.serverUrl].find((candidate) => typeof candidate === 'string')
  if (typeof command !== 'string' && typeof url !== 'string') return undefined
  return {
    command: typeof command === 'string' ? command : undefined,
    args: readTexts(args),
    url: typeof url === 'string' ? url : undefined,
  }
}

/** Throws UntranslatableError. */
export function translateEntry(source: JsonObject, place: TextPlace): TranslatedEntry {
  const key = Object.keys(CLIENTS_OWN).find((name) => isSet(source, name))
  if (key !== undefined) throw new UntranslatableError(`${CLIENTS_OWN[key]} ("${key}")`)
  const own = Object.fromEntries(OWN_KEYS.map((name) => [name, source[name]]))
  const rest = { ...own, ...readLimits(source, place) }
  const isLocal = source.command !== undefined
  const input = clean({ ...(isLocal ? readLocal(source, place) : readRemote(source, place)), ...rest })
  const idle = isLocal ? IDLE_IF_LOCAL : IDLE_IF_REMOTE
  const isDropped = (name: string): boolean => !NOT_TOLD.has(name) || (idle.has(name) && !isEmpty(source[name]))
  // It is checked by who takes it; so is what stands there in a wrong shape.
  return { input: input as ServerInput, dropped: Object.keys(source).filter(isDropped) }
}

/** What no client reads of such a server. */
const IDLE_IF_LOCAL = new Set(['headers', 'oauth', 'auth'])
const IDLE_IF_REMOTE = new Set(['args', 'env', 'cwd'])

function isSet(source: JsonObject, name: string): boolean {
  const value = source[name]
  if (name === 'authProviderType' && value === 'dynamic_discovery') return false
  return value !== undefined && value !== false
}

function readLocal(source: JsonObject, place: TextPlace): JsonObject {
  // With its environment.
  const nested = isJsonObject(source.command) ? source.command : source
  const command = nested === source ? source.command : nested.path
  const { type, url } = source
  return {
    // One that is for an address stays, and is refused beside a command; so does an address.
    type: type === 'stdio' || type === 'local' ? undefined : type,
    url: url === '' ? undefined : url,
    command: translateValue(command, place),
    args: translateList(nested.args, place),
    env: readEnvironment(source.env_vars, nested.env, place),
    cwd: readFolder(source.cwd, place),
  }
}

function readFolder(cwd: unknown, place: TextPlace): unknown {
  const { project } = place
  const folder = translateValue(cwd, place) ?? project
  return project === undefined || typeof folder !== 'string' || isWhole(folder) ? folder : `${project}/${folder}`
}

/** A path that means the same from everywhere. */
export function isWhole(path: string): boolean {
  return /^(?:[/~\\]|[A-Za-z]:|\$\{)/.test(path)
}

/** Codex names variables, or says of each where it comes from. */
function readEnvironment(passed: unknown, env: unknown, place: TextPlace): unknown {
  const named = Array.isArray(passed) ? passed.map((item) => (isJsonObject(item) ? item.name : item)) : []
  const variables = Object.fromEntries(readTexts(named).map((name) => [name, `\${${name}}`]))
  const own = translateValues(env, place)
  return own === undefined || isJsonObject(own) ? { ...variables, ...own } : own
}

function readRemote(source: JsonObject, place: TextPlace): JsonObject {
  const { url } = readStarted(source) ?? source
  return {
    type: readType(source, place),
    url: translateValue(url, place),
    headers: readHeaders(source, place),
    oauth: translateLogin(source, place),
  }
}

function readHeaders(source: JsonObject, place: TextPlace): unknown {
  const own = translateValues(source.headers, place)
  if (own !== undefined && !isJsonObject(own)) return own
  const others = translateValues(source.http_headers, place)
  const variables = translateValues(source.env_http_headers, place)
  const token = source.bearer_token_env_var
  return {
    ...own,
    ...(isJsonObject(others) ? others : {}),
    ...(isJsonObject(variables) ? mapValues(variables, (variable) => `\${${String(variable)}}`) : {}),
    ...(typeof token === 'string' ? { Authorization: `Bearer \${${token}}` } : {}),
  }
}

function readType({ type, url }: JsonObject, { client }: TextPlace): unknown {
  if (type === 'ws') return 'websocket'
  if (type === 'streamable-http' || type === 'streamableHttp') return 'http'
  if (type !== undefined) return type === 'remote' ? undefined : type
  // There `url` is that of a server of events, and `httpUrl` the other.
  return client === 'gemini' && typeof url === 'string' ? 'sse' : undefined
}

/** Budgets and rules for tools. */
function readLimits(source: JsonObject, { client }: TextPlace): JsonObject {
  const { timeout, startup_timeout_sec, startup_timeout_ms, tool_timeout_sec, initTimeout, tools } = source
  const seconds = (value: unknown): number | undefined => (isBudget(value) ? Math.round(value * 1000) : undefined)
  const milliseconds = (value: unknown): number | undefined => (isBudget(value) ? Math.round(value) : undefined)
  const isCounted = client === 'gemini' || client === 'claude-code' || client === 'pasted'
  const counted = isCounted ? milliseconds(timeout) : undefined
  return {
    // As text it is in our words: of others nobody writes a unit.
    timeout: typeof timeout === 'string' ? timeout : (seconds(tool_timeout_sec) ?? counted),
    initTimeout: initTimeout ?? seconds(startup_timeout_sec) ?? milliseconds(startup_timeout_ms),
    tools: isJsonObject(tools) ? tools : readRules(source),
  }
}

function readRules(source: JsonObject): JsonObject {
  const { includeTools, enabled_tools, allowedTools, tools } = source
  const allow = [includeTools, enabled_tools, allowedTools, tools].find(Array.isArray)
  const deny = [source.excludeTools, source.disabled_tools, source.disabledTools].find(Array.isArray)
  // `name(arguments)` is what Gemini understands.
  const names = (list: unknown): string[] => readTexts(list).map((name) => name.split('(')[0] ?? name)
  const allowed = names(allow)
  const denied = allow !== undefined && allowed.length === 0 ? ['*'] : names(deny)
  return {
    ...(allowed.length === 0 || allowed.includes('*') ? {} : { allow: allowed }),
    ...(denied.length === 0 ? {} : { deny: denied }),
  }
}

function isBudget(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1e9
}

function translateValue(value: unknown, place: TextPlace): unknown {
  return typeof value === 'string' ? translateText(value, place) : value
}

function translateList(list: unknown, place: TextPlace): unknown {
  return Array.isArray(list) ? list.map((word: unknown) => translateValue(word, place)) : list
}

function translateValues(values: unknown, place: TextPlace): unknown {
  if (!isJsonObject(values)) return values
  return mapValues(values, (value) =>
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : translateValue(value, place),
  )
}

function mapValues(values: JsonObject, map: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Without what says nothing. */
function clean(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}
