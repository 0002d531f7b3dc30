/**
 * One entry of `mcpServers` into one ServerConfig: which transport it is, whether its keys fit that transport, and
 * what its texts mean on this machine. A disabled server is checked for its shape; its variables need not be set.
 */
import { resolve } from 'node:path'
import { nearestName } from '@switchboard/protocol'
import type { TransportKind } from '../transport/transport.ts'
import { expandHome } from './expand-home.ts'
import type { ReadContext } from './field-types.ts'
import { SERVER_TABLE, type ServerType } from './fields.ts'
import type { KeyPath } from './problems.ts'
import { type FieldReadings, readFields } from './read-fields.ts'
import type { ServerConfig } from './server-config.ts'
import type { SourceEntry, SourceNode } from './source-node.ts'

export interface ServerContext extends ReadContext {
  readonly baseDirectory: string
  readonly queues: readonly string[]
}

type Readings = FieldReadings<typeof SERVER_TABLE.fields>

interface Place {
  readonly node: SourceNode
  readonly path: KeyPath
}

/** Undefined: problems were reported. */
export function checkServer(
  name: string,
  node: SourceNode,
  path: KeyPath,
  context: ServerContext,
): ServerConfig | undefined {
  const own: ServerContext = isSwitchedOff(node) ? { ...context, unresolved: 'keep' } : context
  const readings = readFields(node, path, SERVER_TABLE, own)
  if (readings === undefined) return undefined
  const place = { node, path }
  const transport = findTransport(readings, place, own)
  if (transport !== undefined) reportForeignTransportKeys(transport, readings, path, own)
  reportContradiction(readings, path, own)
  reportUnknownQueue(readings, path, own)
  return transport === undefined ? undefined : createServer(name, transport, readings, own)
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
  context: ServerContext,
): ServerConfig | undefined {
  const { type, command, args, cwd, env, inheritEnv, install, url, headers, disabled, tools, ...rest } = values
  const common = {
    ...rest,
    name,
    enabled: rest.enabled && disabled !== true,
    tools: { ...tools, prefix: tools.prefix ?? name },
    install,
  }
  if (transport === 'stdio') {
    if (command === undefined) return undefined
    const directory = cwd === undefined ? undefined : resolve(context.baseDirectory, expandHome(cwd, context.env))
    return {
      ...common,
      type: transport,
      command: expandHome(command, context.env),
      args,
      cwd: directory,
      env,
      inheritEnv,
    }
  }
  if (url === undefined) return undefined
  // `remote` only says that it is not local.
  return { ...common, type: transport, typeIsExplicit: type !== undefined && type !== 'remote', url, headers }
}

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

/** Undefined when it cannot be told; that has been reported then. */
function findTransport(readings: Readings, { node, path }: Place, context: ServerContext): TransportKind | undefined {
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
  context: ServerContext,
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
  context: ServerContext,
): void {
  for (const [key, { transports }] of Object.entries<{ transports?: readonly TransportKind[] }>(SERVER_TABLE.fields)) {
    const entry = given.get(key)
    if (entry === undefined || transports === undefined || transports.includes(transport)) continue
    const problem = `does not apply to a server of type "${transport}"`
    const expected = `this key only on a server of type ${transports.map((kind) => `"${kind}"`).join(', ')}`
    context.problems.report({ path: [...path, key], offset: entry.keyOffset, problem, expected })
  }
}

function reportContradiction({ given, values }: Readings, path: KeyPath, context: ServerContext): void {
  const disabled = given.get('disabled')
  if (disabled === undefined || !given.has('enabled') || values.disabled !== values.enabled) return
  context.problems.report({
    path: [...path, 'disabled'],
    offset: disabled.keyOffset,
    problem: `is ${values.disabled}, and "enabled" is ${values.enabled} as well`,
    expected: 'only "enabled"',
  })
}

function reportUnknownQueue({ given, values }: Readings, path: KeyPath, context: ServerContext): void {
  const { queue } = values
  if (queue === undefined || context.queues.includes(queue)) return
  const known = context.queues.length === 0 ? 'there is none' : context.queues.join(', ')
  context.problems.report({
    path: [...path, 'queue'],
    offset: given.get('queue')?.node.offset,
    problem: `there is no queue "${queue}"`,
    expected: `one of "queues": ${known}`,
    seen: JSON.stringify(queue),
    nearest: nearestName(queue, context.queues),
  })
}
