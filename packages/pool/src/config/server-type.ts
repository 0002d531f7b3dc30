/**
 * One entry of `mcpServers` into one ServerConfig: which transport it is, and whether its keys fit that transport. A disabled server is checked for its shape; its variables need not be set.
 */
import { errorMessage } from '@switchboard/base'
import {
  createRecord,
  type FieldReadings,
  type FieldTable,
  type FieldType,
  findEntry,
  forbidKeysOfOtherKinds,
  type KeyPath,
  objectType,
  ProblemList,
  pickKind,
  type ReadContext,
  readFields,
  type SourceEntry,
  type SourceNode,
} from '@switchboard/config'
import { readEnvText } from '@switchboard/config/text'
import type { JsonObject } from '@switchboard/protocol'
import { createShortHash } from '@switchboard/protocol/naming'
import type { TransportKind } from '../transport/transport.ts'
import type { ServerConfig } from './server-config.ts'
import { IGNORED_KEYS, SERVER_FIELDS, type ServerInput, type ServerType } from './server-fields.ts'
import { holdsWorkspace } from './server-of-window.ts'
import { findClientState } from './stateful-servers.ts'

const TRANSPORT_OF: Readonly<Record<ServerType, TransportKind>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  remote: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
  websocket: 'websocket',
}

const isLocal = ([, transport]: readonly [string, TransportKind]): boolean => transport === 'stdio'
const LOCAL_TYPES = Object.entries(TRANSPORT_OF)
  .filter(isLocal)
  .map(([type]) => type)
const REMOTE_TYPES = Object.keys(TRANSPORT_OF).filter((type) => !LOCAL_TYPES.includes(type))

/** A server is local or remote, and has no key of the other kind. */
const SERVER_RULES: JsonObject = {
  anyOf: ['command', 'url', 'httpUrl', 'serverUrl'].map((key) => ({ required: [key] })),
  dependentSchemas: {
    command: { properties: { type: { enum: LOCAL_TYPES }, ...forbidKeysOfOtherKinds(SERVER_FIELDS, 'stdio') } },
    url: { properties: { type: { enum: REMOTE_TYPES }, ...forbidKeysOfOtherKinds(SERVER_FIELDS, 'http') } },
  },
}

const SERVER_TABLE = {
  name: 'server',
  owner: 'a server',
  fields: SERVER_FIELDS,
  rules: SERVER_RULES,
  ignored: IGNORED_KEYS,
  renamed: { httpUrl: 'url', serverUrl: 'url' } as const,
  foreign: {
    allowedTools: '"tools": { "allow": […] } instead',
    includeTools: '"tools": { "allow": […] } instead',
    disabledTools: '"tools": { "deny": […] } instead',
    excludeTools: '"tools": { "deny": […] } instead',
  },
}

type Readings = FieldReadings<typeof SERVER_FIELDS>

interface Place {
  readonly node: SourceNode
  readonly path: KeyPath
}

const serverObject = objectType(SERVER_TABLE)

/** Its name is the last part of the path at which it stands. */
export const serverType: FieldType<ServerConfig, ServerInput> = {
  ...serverObject,
  read: (node, path, context) => {
    const { own, variables } = prepareContext(node, path, context)
    const readings = readFields(node, path, SERVER_TABLE, own)
    if (readings === undefined) return undefined
    const transport = findTransport(readings, { node, path }, own)
    if (transport !== undefined) reportForeignTransportKeys(transport, readings, path, own)
    reportContradiction(readings, path, own)
    const server =
      transport === undefined ? undefined : createServer(String(path.at(-1)), transport, readings, variables)
    if (server?.isPerWindow === true && readings.values.shared === true) reportSharedWindow(readings, path, own)
    return server === undefined ? undefined : { value: server }
  },
}

interface EntryContext {
  readonly own: ReadContext
  /** Of its `envFile`. */
  readonly variables: Readonly<Record<string, string>>
}

/** Of one that is switched off neither variables nor files need be there. */
function prepareContext(node: SourceNode, path: KeyPath, context: ReadContext): EntryContext {
  if (isSwitchedOff(node)) return { own: { ...context, unresolved: 'keep' }, variables: NO_VARIABLES }
  const file = findEntry(node, 'envFile')?.node
  if (file === undefined) return { own: context, variables: NO_VARIABLES }
  // Where no file is touched, nobody knows what it says.
  if (context.readText === undefined) return { own: { ...context, unresolved: 'keep' }, variables: NO_VARIABLES }
  const variables = readVariables(file, [...path, 'envFile'], context)
  return variables === undefined
    ? { own: { ...context, unresolved: 'keep' }, variables: NO_VARIABLES }
    : { own: { ...context, env: { ...context.env, ...variables } }, variables }
}

const NO_VARIABLES: Readonly<Record<string, string>> = createRecord([])

/** Undefined: what is wrong with the file has been reported; with its name, the reader of the key does so. */
function readVariables(
  file: SourceNode,
  path: KeyPath,
  context: ReadContext,
): Readonly<Record<string, string>> | undefined {
  const silent = { ...context, problems: new ProblemList() }
  const place = SERVER_FIELDS.envFile.type.read(file, path, silent)?.value
  if (place === undefined) return undefined
  const name = typeof file.scalar === 'string' ? file.scalar : ''
  const report = (problem: string, expected: string): undefined =>
    context.problems.report({ path, offset: file.offset, problem: `the file "${name}" ${problem}`, expected })
  try {
    const { values, wrong } = readEnvText(context.readText?.(place) ?? '')
    for (const { line, problem } of wrong.slice(0, MAX_WRONG_LINES)) report(`${problem} in line ${line}`, LINE_EXPECTED)
    if (wrong.length > 0) return undefined
    const zero = Object.keys(values).find((key) => values[key]?.includes('\0'))
    return zero === undefined ? values : report(`holds a zero character in ${zero}`, 'text')
  } catch (error) {
    return report(errorMessage(error), 'a file of NAME=value lines that this user can read')
  }
}

const MAX_WRONG_LINES = 5
const LINE_EXPECTED = 'lines NAME=value or NAME="value", empty ones, and comments that begin with #'

function reportSharedWindow({ given }: Readings, path: KeyPath, context: ReadContext): void {
  context.problems.report({
    path: [...path, 'shared'],
    offset: given.get('shared')?.keyOffset,
    problem: `is true, and \${workspace} makes it each window's own`,
    expected: 'no "shared", or a server without it',
  })
}

function isSwitchedOff(node: SourceNode): boolean {
  return node
    .entries()
    .some(
      ({ key, node: { scalar } }) => (key === 'enabled' && scalar === false) || (key === 'disabled' && scalar === true),
    )
}

function createServer(
  name: string,
  transport: TransportKind,
  { values }: Readings,
  variables: Readonly<Record<string, string>>,
): ServerConfig | undefined {
  const enabled = values.enabled && values.disabled !== true
  const tools = { ...values.tools, prefix: values.tools.prefix ?? createPrefix(name) }
  if (transport === 'stdio') {
    const { type: _type, disabled: _disabled, command, shared, ...own } = pickKind(SERVER_FIELDS, values, transport)
    if (command === undefined) return undefined
    const privateReason = shared === undefined ? findClientState(command, own.args) : undefined
    const env = { ...variables, ...own.env }
    const local = { ...own, env, name, type: transport, command, enabled, tools }
    if (holdsWorkspace(local)) return { ...local, shared: false, isPerWindow: true }
    const sharing = privateReason === undefined ? { shared: shared ?? true } : { shared: false, privateReason }
    return { ...local, ...sharing }
  }
  const { type, disabled: _disabled, url, shared = true, ...own } = pickKind(SERVER_FIELDS, values, 'http')
  if (url === undefined) return undefined
  // `remote` only says that it is not local.
  const typeIsExplicit = type !== undefined && type !== 'remote'
  return { ...own, name, type: transport, typeIsExplicit, url, shared, enabled, tools }
}

/** As long as one that is written may be: behind a longer one nothing would be left of the names of its tools. */
const LONGEST_PREFIX = 32

function createPrefix(name: string): string {
  if (name.length <= LONGEST_PREFIX) return name
  const hash = createShortHash(name)
  return `${name.slice(0, LONGEST_PREFIX - hash.length - 1)}_${hash}`
}

/** Undefined when it cannot be told; that has been reported then. */
function findTransport(readings: Readings, { node, path }: Place, context: ReadContext): TransportKind | undefined {
  const { given, values } = readings
  const report = (problem: string, expected: string, entry?: SourceEntry): undefined =>
    context.problems.report({
      path: entry === undefined ? path : [...path, entry.key],
      offset: entry?.keyOffset ?? node.offset,
      problem,
      expected,
    })
  const command = given.get('command')
  const url = given.get('url')
  if (command !== undefined && url !== undefined) {
    return report('has both a command and a url', '"command" for a local server or "url" for a remote one, not both')
  }
  if (given.has('type') && values.type === undefined) return undefined
  const type = values.type === undefined ? undefined : TRANSPORT_OF[values.type]
  if (command === undefined && url === undefined) {
    const expected = '"command" for a local server or "url" for a remote one'
    if (type === undefined) return report('has neither a command nor a url', expected)
    return report(`has the type "${values.type}" but no ${type === 'stdio' ? 'command' : 'url'}`, expected)
  }
  if (command !== undefined) {
    if (type === undefined || type === 'stdio') return 'stdio'
    return report(`has the type "${values.type}" and a command`, '"url" for that type, or no "type"', command)
  }
  if (type === 'stdio')
    return report(`has the type "${values.type}" and a url`, '"command" for that type, or no "type"', url)
  return values.url === undefined ? type : checkUrl(values.url, type, url, path, context)
}

/** Never quotes the URL: tokens travel in them. */
function checkUrl(
  text: string,
  type: Exclude<TransportKind, 'stdio'> | undefined,
  entry: SourceEntry | undefined,
  path: KeyPath,
  context: ReadContext,
): TransportKind | undefined {
  if (context.unresolved === 'keep' && text.includes('${'))
    return type ?? (text.startsWith('ws') ? 'websocket' : 'http')
  const report = (problem: string, expected: string): undefined =>
    context.problems.report({ path: [...path, 'url'], offset: entry?.node.offset, problem, expected })
  const schemes = type === undefined ? [...WEB, ...SOCKET] : type === 'websocket' ? SOCKET : WEB
  const expected = `a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`
  const url = URL.parse(text)
  if (url === null) return report('is not a URL', expected)
  if (!schemes.includes(url.protocol)) {
    const forType = type === undefined ? '' : `, which does not go with the type "${type}"`
    return report(`has the scheme "${url.protocol.slice(0, 20)}"${forType}`, expected)
  }
  if (url.username !== '' || url.password !== '') {
    return report('holds a user name or password', 'them in "headers", as an Authorization header')
  }
  return type ?? (SOCKET.includes(url.protocol) ? 'websocket' : 'http')
}

const WEB = ['http:', 'https:']
const SOCKET = ['ws:', 'wss:']

function reportForeignTransportKeys(
  transport: TransportKind,
  { given }: Readings,
  path: KeyPath,
  context: ReadContext,
): void {
  for (const [key, { kinds }] of Object.entries<FieldTable[string]>(SERVER_FIELDS)) {
    const entry = given.get(key)
    if (entry === undefined || kinds === undefined || kinds.includes(transport)) continue
    const problem = `does not apply to a server of type "${transport}"`
    const expected = `this key only on a server of type ${kinds.map((kind) => `"${kind}"`).join(', ')}`
    context.problems.report({ path: [...path, key], offset: entry.keyOffset, problem, expected })
  }
}

function reportContradiction({ given, values }: Readings, path: KeyPath, context: ReadContext): void {
  const disabled = given.get('disabled')
  if (disabled === undefined || !given.has('enabled') || values.disabled !== values.enabled) return
  context.problems.report({
    path: [...path, 'disabled'],
    offset: disabled.keyOffset,
    problem: `is ${values.disabled}, and "enabled" is ${values.enabled} as well`,
    expected: 'only "enabled"',
  })
}
