/** The arguments of our own few tools against their schemas, which are flat: text, whole numbers, choices. */
import { isJsonObject, type JsonObject, nearestName, SwitchboardError, type Tool } from '@switchboard/protocol'

interface Problem {
  readonly field: string
  readonly problem: string
}

/** Throws `invalid_arguments`, naming each parameter that is wrong. A parameter that is null counts as left out. */
export function checkArguments({ name, inputSchema }: Tool, given: unknown): JsonObject {
  const args = given ?? {}
  if (!isJsonObject(args)) throw createError(name, [{ field: '', problem: 'must be an object' }])
  const properties = isJsonObject(inputSchema.properties) ? inputSchema.properties : {}
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : []
  const present = Object.entries(args).filter(([, value]) => value !== null && value !== undefined)
  const problems: Problem[] = []
  for (const [field, value] of present) {
    const schema = Object.hasOwn(properties, field) ? properties[field] : undefined
    const problem = isJsonObject(schema) ? checkValue(value, schema) : describeUnknown(field, Object.keys(properties))
    if (problem !== undefined) problems.push({ field: field.slice(0, 60), problem })
  }
  for (const field of required) {
    if (!present.some(([key]) => key === field)) problems.push({ field: String(field), problem: 'is required' })
  }
  if (problems.length > 0) throw createError(name, problems)
  return Object.fromEntries(present)
}

function checkValue(
  value: unknown,
  { type, enum: choices, minimum, maximum, maxLength }: JsonObject,
): string | undefined {
  if (Array.isArray(choices) && !choices.includes(value))
    return `must be one of ${choices.join(', ')}; got ${show(value)}`
  if (type === 'integer') {
    const isFine =
      Number.isInteger(value) &&
      Number(value) >= Number(minimum ?? -Infinity) &&
      Number(value) <= Number(maximum ?? Infinity)
    return isFine ? undefined : `must be a whole number from ${minimum} to ${maximum}; got ${show(value)}`
  }
  if (typeof value !== 'string' || value === '') return `must be a text; got ${show(value)}`
  return value.length > Number(maxLength ?? Infinity)
    ? `has ${value.length} characters; at most ${maxLength}`
    : undefined
}

function describeUnknown(field: string, known: readonly string[]): string {
  const nearest = nearestName(field, known)
  if (nearest !== undefined) return `is unknown; did you mean "${nearest}"?`
  return known.length === 0 ? 'is unknown; the tool has no parameters' : `is unknown; known are ${known.join(', ')}`
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function createError(tool: string, fields: readonly Problem[]): SwitchboardError {
  const list = fields.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`)).join('; ')
  return new SwitchboardError('invalid_arguments', `The arguments of ${tool} are wrong: ${list}`, {
    details: { fields: [...fields] },
  })
}
