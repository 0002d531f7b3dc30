/** What several declarations of a pack must agree on: every name leads to one tool, and `next` leads to one at all. */
import { nearestName } from '@switchboard/protocol'
import type { ToolDeclaration } from '../manifest/tool-declaration.ts'
import { toTypeName } from '../manifest/tool-name.ts'
import type { KeyPath, MetaProblem } from './meta-problem.ts'
import type { YamlSource } from './yaml-source.ts'

export interface DeclaredTool {
  readonly declaration: ToolDeclaration
  readonly source: YamlSource
}

export function findPackProblems(tools: readonly DeclaredTool[]): MetaProblem[] {
  return [...findNameProblems(tools), ...tools.flatMap((tool) => findNextProblems(tool, tools))]
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
