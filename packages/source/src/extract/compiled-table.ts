/** A table of a language by the numbers of its grammar, so that a walk compares no words. */
import type { Language, Node } from 'web-tree-sitter'
import { type CodePlace, type CodeTable, type Definition, named } from './code-table.ts'

/** What is done where a node is entered; several may be. */
export const ACTS = { define: 1, function: 2, type: 4, name: 8, plainName: 16, typeName: 32 } as const

export interface KnownFields {
  readonly calls: readonly number[]
  /** -1: it is no path. */
  readonly path: number
  readonly binds: readonly number[]
  readonly bindsAll: boolean
  readonly isPattern: boolean
  readonly bindsType: readonly number[]
}

export type CompiledRule = (node: Node, place: CodePlace) => Definition | readonly Definition[] | undefined

export interface CompiledTable {
  readonly typeNames: readonly string[]
  /** By the number of a type. */
  readonly acts: Uint8Array
  readonly rules: readonly (CompiledRule | undefined)[]
  readonly fields: readonly (KnownFields | undefined)[]
  readonly typeKinds: readonly string[]
  readonly bareCalls: boolean
  readonly isPreprocessed: boolean
}

export function compileTable(table: CodeTable, language: Language): CompiledTable {
  const { types, fields } = language
  const acts = new Uint8Array(types.length)
  const rules: CompiledRule[] = []
  const knownFields: KnownFields[] = []
  // An empty name is that of children which are in no field.
  const fieldIds = (names: readonly string[] = []): number[] =>
    names.map((name) => (name === '' ? 0 : fields.indexOf(name))).filter((id) => id >= 0)
  types.forEach((type, id) => {
    const definition = Object.hasOwn(table.definitions, type) ? table.definitions[type] : undefined
    if (definition !== undefined) {
      acts[id] = ACTS.define
      rules[id] = typeof definition === 'string' ? (node) => named(node, definition) : definition
    }
    const mark = (list: readonly string[] | undefined, act: number): void => {
      if (list?.includes(type) === true) acts[id] = (acts[id] ?? 0) | act
    }
    mark(table.functions, ACTS.function)
    mark(table.types, ACTS.type)
    mark(table.names, ACTS.name)
    mark(table.plainNames, ACTS.plainName)
    mark(table.typeNames, ACTS.typeName)
    const binds = Object.hasOwn(table.binds, type) ? table.binds[type] : undefined
    const path = Object.hasOwn(table.paths, type) ? fields.indexOf(table.paths[type] ?? '') : -1
    const calls = Object.hasOwn(table.calls, type) ? fieldIds(table.calls[type]) : []
    const isPattern = table.patterns.includes(type)
    const { bindsTypes = {} } = table
    const bindsType = Object.hasOwn(bindsTypes, type) ? fieldIds(bindsTypes[type]) : []
    if (binds !== undefined || path > 0 || calls.length > 0 || isPattern || bindsType.length > 0) {
      knownFields[id] = { calls, path, binds: fieldIds(binds), bindsAll: binds?.length === 0, isPattern, bindsType }
    }
  })
  return {
    typeNames: types,
    acts,
    rules,
    fields: knownFields,
    typeKinds: table.typeKinds ?? [],
    bareCalls: table.bareCalls ?? false,
    isPreprocessed: table.isPreprocessed ?? false,
  }
}
