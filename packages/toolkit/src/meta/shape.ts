/** What a file may hold, as data: the checker, its error texts and the JSON Schema for editors all follow from it. */
import { isJsonObject, type JsonObject, nearestName } from '@switchboard/protocol'
import type { KeyPath } from './meta-problem.ts'

export type Shape =
  | { readonly kind: 'text'; readonly what?: string; readonly max?: number; readonly pattern?: RegExp }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number' }
  | { readonly kind: 'any' }
  /** A JSON Schema; that it is one is checked apart. */
  | { readonly kind: 'schema' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** For a shape that holds itself. */
  | { readonly kind: 'itself'; readonly of: () => Shape }
  | { readonly kind: 'list'; readonly of: () => Shape }
  /** Any names, each with the same shape. */
  | { readonly kind: 'record'; readonly of: () => Shape; readonly names?: NamePattern }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Field>> }

export interface NamePattern {
  readonly pattern: RegExp
  readonly what: string
}

export interface Field {
  readonly shape: Shape
  readonly required?: boolean
  readonly what: string
}

export type Report = (path: KeyPath, message: string) => void

export function checkShape(value: unknown, shape: Shape, path: KeyPath, report: Report): void {
  switch (shape.kind) {
    case 'any':
      return
    case 'text':
      checkText(value, shape, path, report)
      return
    case 'flag':
      if (typeof value !== 'boolean') report(path, `must be true or false, not ${show(value)}`)
      return
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) report(path, `must be a number, not ${show(value)}`)
      return
    case 'schema':
      if (!isJsonObject(value)) report(path, `must be a JSON Schema, not ${show(value)}`)
      return
    case 'choice':
      checkChoice(value, shape.values, path, report)
      return
    case 'itself':
      checkShape(value, shape.of(), path, report)
      return
    case 'list':
      if (!Array.isArray(value)) report(path, `must be a list, not ${show(value)}`)
      else for (const [index, item] of value.entries()) checkShape(item, shape.of(), [...path, index], report)
      return
    case 'record':
      checkRecord(value, shape, path, report)
      return
    case 'object':
      checkObject(value, shape.fields, path, report)
  }
}

function checkText(value: unknown, shape: Shape & { kind: 'text' }, path: KeyPath, report: Report): void {
  if (typeof value !== 'string') report(path, `must be a text, not ${show(value)}`)
  else if (value.trim() === '') report(path, 'must not be empty')
  else if (shape.max !== undefined && value.length > shape.max) {
    report(path, `must have at most ${shape.max} characters, not ${value.length}`)
  } else if (shape.pattern !== undefined && !shape.pattern.test(value)) {
    report(path, `must be ${shape.what ?? `like ${shape.pattern.source}`}, not ${show(value)}`)
  }
}

function checkChoice(value: unknown, values: readonly string[], path: KeyPath, report: Report): void {
  if (typeof value === 'string' && values.includes(value)) return
  const nearest = typeof value === 'string' ? nearestName(value, values) : undefined
  const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  report(path, `must be one of ${values.join(', ')}, not ${show(value)}${suggestion}`)
}

function checkRecord(value: unknown, shape: Shape & { kind: 'record' }, path: KeyPath, report: Report): void {
  if (!isJsonObject(value)) {
    report(path, `must be a map, not ${show(value)}`)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (shape.names !== undefined && !shape.names.pattern.test(name)) {
      report([...path, name], `must have a name in ${shape.names.what}, of letters and digits`)
    }
    checkShape(member, shape.of(), [...path, name], report)
  }
}

function checkObject(value: unknown, fields: Readonly<Record<string, Field>>, path: KeyPath, report: Report): void {
  if (!isJsonObject(value)) {
    report(path, `must be a map with ${listRequired(fields)}, not ${show(value)}`)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field !== undefined) checkShape(member, field.shape, [...path, name], report)
    else report([...path, name], describeUnknown(name, fields, value))
  }
  for (const [name, field] of Object.entries(fields)) {
    if (field.required === true && !Object.hasOwn(value, name)) report([...path, name], `is missing: ${field.what}`)
  }
}

/** The nearest right key among those that are not there yet; all keys where none is near. */
function describeUnknown(name: string, fields: Readonly<Record<string, Field>>, value: JsonObject): string {
  const free = Object.keys(fields).filter((key) => !Object.hasOwn(value, key))
  const nearest = nearestName(name, free)
  const cure = nearest === undefined ? `known keys: ${Object.keys(fields).join(', ')}` : `did you mean "${nearest}"?`
  return `is not a known key; ${cure}`
}

function listRequired(fields: Readonly<Record<string, Field>>): string {
  const required = Object.entries(fields).flatMap(([name, field]) => (field.required === true ? [name] : []))
  return required.length === 0 ? Object.keys(fields).join(', ') : required.join(', ')
}

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
