/** A pack's `src/pack.yaml`: what its tools have in common. A pack without one has nothing in common. */
import type { Definitions, ErrorDeclaration } from '../manifest/tool-declaration.ts'
import type { MetaProblem } from './meta-problem.ts'
import { readTable } from './read-table.ts'
import { findDataProblems } from './schema-problems.ts'
import { PACK_TABLE } from './tool-fields.ts'
import { YamlSource } from './yaml-source.ts'

export interface PackMetaReading {
  readonly commonErrors: readonly ErrorDeclaration[]
  readonly internalErrors: readonly string[]
  readonly definitions: Definitions
  readonly problems: readonly MetaProblem[]
  /** For problems that only the tools together show. */
  readonly source: YamlSource
}

export function readPackMeta(file: string, text: string): PackMetaReading {
  const source = new YamlSource(file, text)
  const nothing = { commonErrors: [], internalErrors: [], definitions: {}, source }
  if (source.syntaxProblems.length > 0) return { ...nothing, problems: source.syntaxProblems }
  const { values, problems: wrong } = readTable(source, PACK_TABLE)
  if (values === undefined || wrong.length > 0) return { ...nothing, problems: wrong }
  const problems: MetaProblem[] = []
  const { errors = [], internal_errors: internalErrors = [], definitions = {} } = values
  for (const [name, schema] of Object.entries(definitions)) {
    findDataProblems(schema, definitions, (path, message) =>
      problems.push(source.problem(['definitions', name, ...path], message)),
    )
  }
  for (const [index, { code }] of errors.entries()) {
    if (errors.findIndex((other) => other.code === code) < index) {
      problems.push(source.problem(['errors', index, 'code'], `${code} is declared twice`))
    }
  }
  return { commonErrors: errors, internalErrors, definitions, problems, source }
}
