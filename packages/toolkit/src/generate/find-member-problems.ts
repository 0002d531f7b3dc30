/** Members of data are in camelCase, as parameters are: an agent never has to guess. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { Definitions } from '../manifest/tool-declaration.ts'
import type { DeclaredCommon, DeclaredTool } from '../meta/check-pack.ts'
import type { KeyPath, MetaProblem } from '../meta/meta-problem.ts'

const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/

export function findMemberProblems(tools: readonly DeclaredTool[], common: DeclaredCommon): MetaProblem[] {
  return [
    ...tools.flatMap(({ declaration: { data }, source }) =>
      listWrong(data).map((path) => source.problem(['data', ...path], MESSAGE)),
    ),
    ...listWrongDefinitions(common.definitions).map((path) => common.source.problem(['definitions', ...path], MESSAGE)),
  ]
}

const MESSAGE = 'must have a name in camelCase, of letters and digits'

function listWrongDefinitions(definitions: Definitions): KeyPath[] {
  return Object.entries(definitions).flatMap(([name, schema]) => listWrong(schema).map((path) => [name, ...path]))
}

/** Paths of the members of objects anywhere in a JSON Schema whose names are no camelCase. */
function listWrong(schema: unknown): KeyPath[] {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => below(index, item))
  if (!isJsonObject(schema)) return []
  const { properties, ...rest } = schema
  return [
    ...listWrongMembers(isJsonObject(properties) ? properties : {}),
    ...Object.entries(rest).flatMap(([key, part]) => (VALUES.has(key) ? [] : below(key, part))),
  ]
}

/** Keys that hold values, in which any name may stand. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

function listWrongMembers(properties: JsonObject): KeyPath[] {
  return Object.entries(properties).flatMap(([name, member]) => [
    ...(CAMEL_CASE.test(name) ? [] : [['properties', name]]),
    ...listWrong(member).map((path) => ['properties', name, ...path]),
  ])
}

function below(key: string | number, schema: unknown): KeyPath[] {
  return listWrong(schema).map((path) => [key, ...path])
}
