/** What the shape of a parameter's declaration cannot say: which keys fit its type, and whether its default fits itself. */
import type { JsonObject } from '@switchboard/protocol'
import { createParamSchema } from './input-schema.ts'
import type { KeyPath, Report } from './meta-problem.ts'
import { findSchemaProblems } from './schema-problems.ts'
import type { ParamMeta, ParamType } from './tool-fields.ts'

const FITTING: Readonly<Record<string, readonly ParamType[]>> = {
  min: ['integer', 'number', 'array'],
  max: ['integer', 'number', 'array'],
  minLength: ['string', 'path'],
  maxLength: ['string', 'path'],
  pattern: ['string', 'path'],
  values: ['enum'],
  items: ['array', 'object'],
  properties: ['object'],
}

export function checkParamMeta(param: ParamMeta, path: KeyPath, report: Report): void {
  let isSound = true
  const refuse: Report = (at, message) => {
    isSound = false
    report(at, message)
  }
  checkFittingKeys(param, path, refuse)
  checkBounds(param, path, refuse)
  if (param.type === 'enum' && (param.values ?? []).length === 0) {
    refuse([...path, 'values'], 'is missing: what the enum may be')
  }
  if (param.pattern !== undefined && !isPattern(param.pattern)) {
    refuse([...path, 'pattern'], `is not a regular expression: ${param.pattern}`)
  }
  if (param.items !== undefined && param.properties !== undefined) {
    refuse([...path, 'items'], 'cannot stand beside properties: an object has named members, or free ones')
  }
  if (param.items !== undefined) checkParamMeta(param.items, [...path, 'items'], refuse)
  for (const [name, member] of Object.entries(param.properties ?? {})) {
    checkParamMeta(member, [...path, 'properties', name], refuse)
  }
  if (isSound) checkDefault(param, path, report)
}

function checkFittingKeys(param: ParamMeta, path: KeyPath, report: Report): void {
  for (const [key, value] of Object.entries(param)) {
    const types = value === undefined ? undefined : FITTING[key]
    if (types === undefined || types.includes(param.type)) continue
    report([...path, key], `does not fit the type ${param.type}; only ${types.join(', ')} may have it`)
  }
}

function checkBounds({ min, max, minLength, maxLength }: ParamMeta, path: KeyPath, report: Report): void {
  if (min !== undefined && max !== undefined && min > max) report([...path, 'min'], `is ${min}, more than max (${max})`)
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    report([...path, 'minLength'], `is ${minLength}, more than maxLength (${maxLength})`)
  }
}

function checkDefault(param: ParamMeta, path: KeyPath, report: Report): void {
  if (param.default === undefined) return
  if (param.required === true) {
    report([...path, 'required'], 'cannot be true beside a default: a call without it gets the default')
  }
  const { default: fallback, ...rest } = param
  const schema: JsonObject = {
    type: 'object',
    properties: { default: createParamSchema({ ...rest, default: undefined }) },
  }
  const problems = findSchemaProblems(schema, { default: fallback })
  if (problems.length > 0) {
    report([...path, 'default'], `is ${show(fallback)}, which the parameter itself refuses: ${problems.join('; ')}`)
  }
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
