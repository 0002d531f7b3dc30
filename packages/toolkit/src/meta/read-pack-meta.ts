/** A pack's `src/pack.yaml`: what its tools have in common. A pack without one has nothing in common. */
import type { Definitions, ErrorDeclaration } from '../manifest/tool-declaration.ts'
import type { MetaProblem } from './meta-problem.ts'
import { findDataProblems } from './schema-problems.ts'
import { checkShape } from './shape.ts'
import { PACK_SHAPE, type PackMeta } from './tool-shape.ts'
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
  const problems = [...source.syntaxProblems]
  if (problems.length === 0) {
    checkShape(source.value, PACK_SHAPE, [], (path, message) => problems.push(source.problem(path, message)))
  }
  if (problems.length > 0) return { commonErrors: [], internalErrors: [], definitions: {}, problems, source }
  // The shape was checked just now.
  const { errors = [], internal_errors: internalErrors = [], definitions = {} } = source.value as PackMeta
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
