/**
 * What several declarations of a pack must agree on: every name leads to one tool, `next` leads to one at all, and every
 * definition is there for somebody.
 */
import { nearestName } from '@switchboard/base'
import { listReferences } from '../manifest/schema-references.ts'
import type { Definitions, ToolDeclaration } from '../manifest/tool-declaration.ts'
import { toTypeName } from '../manifest/tool-name.ts'
import type { KeyPath, MetaProblem } from './meta-problem.ts'
import type { YamlSource } from './yaml-source.ts'

export interface DeclaredTool {
  readonly declaration: ToolDeclaration
  readonly source: YamlSource
}

/** What `pack.yaml` says, as far as tools must agree with it. */
export interface DeclaredCommon {
  readonly definitions: Definitions
  readonly source: YamlSource
}

export function findPackProblems(tools: readonly DeclaredTool[], common: DeclaredCommon): MetaProblem[] {
  return [
    ...findNameProblems(tools),
    ...tools.flatMap((tool) => findNextProblems(tool, tools)),
    ...findDefinitionProblems(tools, common),
  ]
}

function findNameProblems(tools: readonly DeclaredTool[]): MetaProblem[] {
  const problems: MetaProblem[] = []
  const names = new Map<string, YamlSource>()
  const types = new Map<string, YamlSource>()
  const claim = (
    taken: Map<string, YamlSource>,
    name: string,
    source: YamlSource,
    path: KeyPath,
    what: string,
  ): void => {
    const other = taken.get(name)
    if (other === undefined) taken.set(name, source)
    else problems.push(source.problem(path, `the ${what} ${name} is taken by ${describeOther(other, source)}`))
  }
  for (const { declaration, source } of tools) {
    claim(names, declaration.name, source, ['alias'], 'tool name')
    claim(types, toTypeName(declaration.alias), source, ['alias'], 'name of its types')
  }
  for (const { declaration, source } of tools) {
    for (const [index, alias] of declaration.aliases.entries()) {
      claim(names, alias, source, ['aliases', index], 'tool name')
    }
  }
  return problems
}

function describeOther(other: YamlSource, own: YamlSource): string {
  return other === own ? 'this tool itself' : other.file
}

function findNextProblems({ declaration, source }: DeclaredTool, tools: readonly DeclaredTool[]): MetaProblem[] {
  const names = tools.map((tool) => tool.declaration.name)
  return declaration.next.flatMap((name, index) => {
    if (names.includes(name)) return []
    const nearest = nearestName(name, names)
    const cure = nearest === undefined ? `tools: ${names.slice(0, 12).join(', ')}` : `did you mean "${nearest}"?`
    return source.problem(['llm', 'next', index], `${name} is not a tool of this pack; ${cure}`)
  })
}

function findDefinitionProblems(
  tools: readonly DeclaredTool[],
  { definitions, source }: DeclaredCommon,
): MetaProblem[] {
  const schemas = [...tools.map(({ declaration }) => declaration.data), ...Object.values(definitions)]
  const used = new Set(schemas.flatMap((schema) => listReferences(schema)).map(({ name }) => name))
  const types = tools.flatMap(({ declaration }) => {
    const type = toTypeName(declaration.alias)
    return [`${type}Params`, `${type}Data`]
  })
  return Object.keys(definitions).flatMap((name) => {
    const path = ['definitions', name]
    if (types.includes(name)) return source.problem(path, 'is the name of the types of a tool as well: choose another')
    return used.has(name) ? [] : source.problem(path, 'is referred to by nothing: remove it')
  })
}
