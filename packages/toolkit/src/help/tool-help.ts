/**
 * What a person is told of a tool: of one of a pack from its declaration, of any other from what its server lists. The
 * command shows both in the same way.
 */
import { describeSchema } from '@switchboard/config/arguments'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'
import { isRequirementName, REQUIREMENTS, type RequirementName } from '../manifest/requirements.ts'
import type {
  ErrorDeclaration,
  ExampleDeclaration,
  ParameterHint,
  Safety,
  ToolDeclaration,
} from '../manifest/tool-declaration.ts'
import { toSentence } from '../run/describe-tool.ts'

export interface ToolHelp {
  readonly name: string
  readonly summary: string
  /** Paragraphs. */
  readonly more: readonly string[]
  readonly parameters: readonly ParameterHelp[]
  readonly needs: readonly NeedHelp[]
  readonly errors: readonly ErrorDeclaration[]
  readonly examples: readonly ExampleDeclaration[]
  readonly next: readonly string[]
  readonly aliases: readonly string[]
  /** `reads only`, `changes, destructive`; empty: the server does not say. */
  readonly safety: string
  /** Absent: the server's own. */
  readonly timeoutMs?: number
}

/** What must be there before it runs, and what it fails with otherwise. */
export interface NeedHelp {
  readonly what: string
  readonly code: string
  readonly hint: string
}

export interface ParameterHelp {
  /** As a path into objects and lists: `breakpoints[].line`. */
  readonly name: string
  readonly required: boolean
  /** `an integer, at least 1, default 5; what it is for` */
  readonly text: string
}

export function createToolHelp(tool: ToolDeclaration): ToolHelp {
  const { name, summary, description, whenToUse, aliases, requires, errors, next, examples, timeoutMs } = tool
  return {
    name,
    summary,
    more: [description, whenToUse].flatMap((text) => (text === undefined ? [] : toSentence(text))),
    parameters: listParameters(tool.input, tool.parameterHints),
    needs: requires.filter(isRequirementName).map((need) => describeNeed(need, errors)),
    errors,
    examples,
    next,
    aliases,
    safety: describeSafety(tool.safety),
    timeoutMs,
  }
}

/** What the tool itself says about the code goes before. */
function describeNeed(need: RequirementName, errors: readonly ErrorDeclaration[]): NeedHelp {
  const { label, code, hint } = REQUIREMENTS[need]
  return { what: label, code, hint: errors.find((entry) => entry.code === code)?.hint ?? hint }
}

/** Of a tool of which only the listing is known. */
export function createListedToolHelp({ name, title, description = '', inputSchema, annotations }: Tool): ToolHelp {
  const [first = '', ...rest] = description.trim().split(/\n\s*\n/)
  return {
    name,
    summary: toLine(first) || (title ?? ''),
    more: rest.map((paragraph) => paragraph.trim()).filter((paragraph) => paragraph !== ''),
    parameters: listParameters(isJsonObject(inputSchema) ? inputSchema : {}),
    needs: [],
    errors: [],
    examples: [],
    next: [],
    aliases: [],
    safety: describeAnnotations(annotations),
  }
}

/** Those inside of objects and of the items of lists come after the one that they are in. */
export function listParameters(
  input: JsonObject,
  hints: Readonly<Record<string, ParameterHint>> = {},
  prefix = '',
): ParameterHelp[] {
  const properties = isJsonObject(input.properties) ? input.properties : {}
  const required = Array.isArray(input.required) ? input.required : []
  return Object.entries(properties).flatMap(([name, schema]) => {
    const property = isJsonObject(schema) ? schema : {}
    const path = `${prefix}${name}`
    const own = {
      name: path,
      required: required.includes(name),
      text: describeParameter(property, prefix === '' ? hints[name] : undefined),
    }
    const inner = isJsonObject(property.items) ? property.items : property
    const isList = inner !== property
    return [
      own,
      ...(path.split('.').length >= MAX_DEPTH ? [] : listParameters(inner, {}, `${path}${isList ? '[]' : ''}.`)),
    ]
  })
}

/** A schema that holds itself has no end. */
const MAX_DEPTH = 3

function describeParameter(property: JsonObject, hint: ParameterHint = {}): string {
  const fallback = property.default === undefined ? '' : `, default ${JSON.stringify(property.default)}`
  const examples = (hint.examples ?? []).map((example) => JSON.stringify(example)).join(', ')
  const notes = [
    typeof property.description === 'string' ? toLine(property.description) : '',
    hint.note ?? '',
    examples === '' ? '' : `such as ${examples}`,
  ].filter((note) => note !== '')
  return [`${describeSchema(property) ?? 'any value'}${fallback}`, ...notes].join('; ')
}

export function describeSafety({ readOnly, destructive, idempotent }: Safety): string {
  return [
    readOnly ? 'reads only' : 'changes',
    ...(destructive ? ['destructive'] : []),
    ...(idempotent ? ['idempotent'] : []),
  ].join(', ')
}

/** Only what the server says: what it leaves out is not known. */
function describeAnnotations(annotations: Tool['annotations']): string {
  if (annotations?.readOnlyHint === true) return 'reads only'
  return [
    ...(annotations?.readOnlyHint === false ? ['changes'] : []),
    ...(annotations?.destructiveHint === true ? ['destructive'] : []),
    ...(annotations?.idempotentHint === true ? ['idempotent'] : []),
  ].join(', ')
}

function toLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
