/**
 * Which arguments of a tool are repeated as headers: the properties its input schema annotates with `x-mcp-header`.
 * A tool with a wrong annotation must not be offered over HTTP, so the problems are told, not just skipped.
 */
import { isJsonObject } from '../json-rpc.ts'

const ANNOTATION = 'x-mcp-header'
/** What HTTP lets a header's name consist of; also keeps line breaks out of our requests. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const DEPTH_LIMIT = 32

export interface ParamHeader {
  /** As it stands after `Mcp-Param-`. */
  readonly name: string
  /** From the arguments down to the value. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

export interface ParamHeaders {
  readonly params: readonly ParamHeader[]
  readonly problems: readonly string[]
}

const NONE: ParamHeaders = Object.freeze({ params: [], problems: [] })
const known = new WeakMap<object, ParamHeaders>()

/** Remembered per schema object: it is asked for at every call of the tool. */
export function readParamHeaders(inputSchema: unknown): ParamHeaders {
  if (!isJsonObject(inputSchema)) return NONE
  const found = known.get(inputSchema)
  if (found !== undefined) return found
  const params: ParamHeader[] = []
  const problems: string[] = []
  const names = new Set<string>()
  collect(inputSchema, [], (name, type, path) => {
    const place = `property ${path.join('.')}`
    if (typeof name !== 'string' || !TOKEN.test(name)) {
      problems.push(`${place}: ${ANNOTATION} ${JSON.stringify(name)} is not a header name`)
    } else if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
      problems.push(`${place}: ${ANNOTATION} needs type string, integer or boolean, not ${JSON.stringify(type)}`)
    } else if (names.has(name.toLowerCase())) {
      problems.push(`${place}: ${ANNOTATION} ${JSON.stringify(name)} is used twice`)
    } else {
      names.add(name.toLowerCase())
      params.push({ name, path, type })
    }
  })
  const read = params.length === 0 && problems.length === 0 ? NONE : { params, problems }
  known.set(inputSchema, read)
  return read
}

function collect(
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[],
  report: (name: unknown, type: unknown, path: readonly string[]) => void,
): void {
  if (!isJsonObject(schema.properties) || path.length >= DEPTH_LIMIT) return
  for (const [key, property] of Object.entries(schema.properties)) {
    if (!isJsonObject(property)) continue
    const inner = [...path, key]
    if (property[ANNOTATION] !== undefined) report(property[ANNOTATION], property.type, inner)
    collect(property, inner, report)
  }
}
