/**
 * The HTTP headers of a modern request, which repeat parts of its body so that something between can route by them.
 * They are made anew on every hop (names change with prefixes) and compared with the body where that is read.
 */
import { isJsonObject, type JsonObject } from '../json-rpc.ts'
import type { Tool } from '../mcp.ts'
import { decodeHeaderValue, encodeHeaderValue } from './header-value.ts'
import { META_KEY } from './meta-keys.ts'
import { type ParamHeader, readParamHeaders } from './param-headers.ts'

const HEADER = {
  protocolVersion: 'MCP-Protocol-Version',
  method: 'Mcp-Method',
  name: 'Mcp-Name',
  /** Followed by the name that the tool's schema gives the parameter. */
  paramPrefix: 'Mcp-Param-',
} as const

type ToolSchema = Pick<Tool, 'inputSchema'>

export interface ModernHeaderOptions {
  readonly method: string
  readonly params?: Readonly<JsonObject> | undefined
  readonly version: string
  /** The tool as the server itself lists it; without it there are no parameter headers. */
  readonly tool?: ToolSchema | undefined
}

export interface HeaderMismatch {
  readonly header: string
  /** What the body says; undefined when it says nothing of the kind. */
  readonly expected: string | undefined
  readonly received: string | undefined
  readonly message: string
}

/** Either a plain record, whose names may be of any case (Node's are lower), or a web `Headers`. */
export type IncomingHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export function createModernHeaders(options: ModernHeaderOptions): Record<string, string> {
  const { method, params, version, tool } = options
  const headers: Record<string, string> = {
    [HEADER.protocolVersion]: version,
    [HEADER.method]: encodeHeaderValue(method),
  }
  const name = readName(method, params)
  if (name !== undefined) headers[HEADER.name] = encodeHeaderValue(name)
  for (const [header, value] of readParamValues(method, params, tool)) headers[header] = encodeHeaderValue(value)
  return headers
}

/**
 * The first disagreement, or undefined. `Mcp-Param-*` headers that the tool's schema does not name are nobody's
 * business. A notification carries no envelope; then its version cannot be compared.
 */
export function validateModernHeaders(
  headers: IncomingHeaders,
  body: unknown,
  tool?: ToolSchema | undefined,
): HeaderMismatch | undefined {
  const message: JsonObject = isJsonObject(body) ? body : {}
  const params = isJsonObject(message.params) ? message.params : undefined
  const method = typeof message.method === 'string' ? message.method : ''
  const meta = params !== undefined && isJsonObject(params._meta) ? params._meta : {}
  const version = meta[META_KEY.protocolVersion]
  const read = createHeaderReader(headers)

  const received = read(HEADER.protocolVersion)
  if (typeof version === 'string' && received !== version) return describe(HEADER.protocolVersion, version, received)
  if (received === undefined || received === '') return describe(HEADER.protocolVersion, 'a version', received)
  const methodMismatch = compare(HEADER.method, method, read(HEADER.method))
  if (methodMismatch !== undefined) return methodMismatch
  if (NAMED_BY.has(method) && message.id !== undefined) {
    const nameMismatch = compare(HEADER.name, readName(method, params) ?? '', read(HEADER.name))
    if (nameMismatch !== undefined) return nameMismatch
  }
  return findParamMismatch(method, params, tool, read)
}

/** Which member of the parameters `Mcp-Name` repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

function readName(method: string, params: Readonly<JsonObject> | undefined): string | undefined {
  const member = NAMED_BY.get(method)
  const name = member === undefined ? undefined : params?.[member]
  return typeof name === 'string' ? name : undefined
}

function readParamValues(
  method: string,
  params: Readonly<JsonObject> | undefined,
  tool: ToolSchema | undefined,
): [header: string, value: string][] {
  if (method !== 'tools/call' || tool === undefined) return []
  const values: [string, string][] = []
  for (const param of readParamHeaders(tool.inputSchema).params) {
    const value = readArgument(params?.arguments, param)
    if (value !== undefined) values.push([HEADER.paramPrefix + param.name, value])
  }
  return values
}

function findParamMismatch(
  method: string,
  params: Readonly<JsonObject> | undefined,
  tool: ToolSchema | undefined,
  read: (name: string) => string | undefined,
): HeaderMismatch | undefined {
  if (method !== 'tools/call' || tool === undefined) return undefined
  for (const param of readParamHeaders(tool.inputSchema).params) {
    const header = HEADER.paramPrefix + param.name
    const expected = readArgument(params?.arguments, param)
    const received = read(header)
    if (expected === undefined && received === undefined) continue
    const mismatch = compare(header, expected, received)
    if (mismatch === undefined) continue
    // 7 and 7.0 are one integer, whichever way either side writes it.
    const decoded = received === undefined ? undefined : decodeHeaderValue(received)
    if (param.type !== 'string' && expected !== undefined && isSameNumber(expected, decoded)) continue
    return mismatch
  }
  return undefined
}

/** Absent and null arguments have no header. Neither has a value that is not of a type a header can hold. */
function readArgument(args: unknown, param: ParamHeader): string | undefined {
  let value: unknown = args
  for (const step of param.path) value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : undefined
}

function createHeaderReader(headers: IncomingHeaders): (name: string) => string | undefined {
  if (typeof headers.get === 'function') {
    const { get } = headers
    return (name) => get.call(headers, name) ?? undefined
  }
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') values.set(name.toLowerCase(), value)
    else if (Array.isArray(value)) values.set(name.toLowerCase(), value.join(', '))
  }
  return (name) => values.get(name.toLowerCase())
}

function compare(
  header: string,
  expected: string | undefined,
  received: string | undefined,
): HeaderMismatch | undefined {
  const decoded = received === undefined ? undefined : decodeHeaderValue(received)
  return decoded !== undefined && decoded === expected ? undefined : describe(header, expected, received)
}

function isSameNumber(expected: string, received: string | undefined): boolean {
  return received !== undefined && /^-?\d+(\.0+)?$/.test(received) && Number(received) === Number(expected)
}

function describe(header: string, expected: string | undefined, received: string | undefined): HeaderMismatch {
  const said = expected === undefined ? 'has no such value' : `says ${JSON.stringify(expected)}`
  const seen = received === undefined ? 'is missing' : `is ${JSON.stringify(received)}`
  return { header, expected, received, message: `Header ${header} ${seen}, but the body ${said}` }
}
