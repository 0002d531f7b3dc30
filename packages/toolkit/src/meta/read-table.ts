/** A declaration in YAML by its table of keys: what could be read, and every problem with its place. */
import {
  explainProblem,
  type FieldTable,
  type ObjectTable,
  ProblemList,
  readFields,
  refuse,
  type ValuesOf,
} from '@switchboard/config'
import type { KeyPath, MetaProblem } from './meta-problem.ts'
import type { YamlSource } from './yaml-source.ts'

export interface TableReading<F extends FieldTable> {
  /** A part that is wrong stands as its fallback. Undefined: it is no map. */
  readonly values: ValuesOf<F> | undefined
  readonly problems: readonly MetaProblem[]
  /** Whether nothing is wrong with that part. */
  isClean(...path: KeyPath): boolean
}

export function readTable<F extends FieldTable>(source: YamlSource, table: ObjectTable<F>): TableReading<F> {
  const problems = new ProblemList(source.file)
  const context = { problems, env: {}, unresolved: 'keep', baseDirectory: '.' } as const
  const { root } = source
  const values =
    root.type === 'object'
      ? readFields(root, [], table, context)?.values
      : refuse(context, root, [], `a map with ${listNeeded(table)}`)
  return {
    values,
    problems: problems.reports.map(({ path, offset, ...what }) =>
      source.problemAt(offset ?? 0, path, explainProblem(what)),
    ),
    isClean: (...part) => !problems.reports.some(({ path }) => part.every((step, index) => path[index] === step)),
  }
}

function listNeeded({ fields }: ObjectTable): string {
  const keys = Object.keys(fields)
  const required = keys.filter((key) => fields[key]?.required === true)
  return (required.length === 0 ? keys : required).join(', ')
}
