import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { formatProblem } from '../../src/meta/meta-problem.ts'
import { createPackMetaSchema } from '../../src/meta/meta-schema.ts'
import { readPackMeta } from '../../src/meta/read-pack-meta.ts'
import { readToolMeta } from '../../src/meta/read-tool-meta.ts'

const PACK = `errors:
  - {code: E_COMMON, retryable: true, hint: Try again.}
internal_errors: [E_HIDDEN]
definitions:
  Node:
    type: object
    properties:
      children: {type: array, items: {$ref: "#/$defs/Node"}}
  Tree: {$ref: "#/$defs/Node"}
`
const TOOL = `alias: tree.show
category: tree
summary: Show a tree
result: query
timeout: 5s
safety: {read_only: true, destructive: false, idempotent: true}
data:
  type: object
  properties:
    tree: {$ref: "#/$defs/Tree"}
`

const problemsOf = (text: string): string[] => readPackMeta('src/pack.yaml', text).problems.map(formatProblem)

it('what tools have in common is read, also where a definition holds itself', () => {
  expect(readPackMeta('src/pack.yaml', PACK)).toMatchObject({
    problems: [],
    commonErrors: [{ code: 'E_COMMON', retryable: true, hint: 'Try again.' }],
    internalErrors: ['E_HIDDEN'],
    definitions: { Node: { type: 'object' }, Tree: { $ref: '#/$defs/Node' } },
  })
})

describe('a problem of pack.yaml names its place', () => {
  it.each<[string, string, string]>([
    [
      'an unknown key',
      PACK.replace('internal_errors', 'internal_error'),
      '3:1 internal_error: unknown key. Expected a key of a pack: errors, internal_errors, definitions. Did you mean "internal_errors"?',
    ],
    [
      'a name of no type',
      PACK.replace('  Tree:', '  tree:'),
      '9:3 definitions.tree: is not a valid name. Expected a name in PascalCase, of letters and digits.',
    ],
    [
      'a definition that is no schema',
      'definitions: {A: 1}',
      '1:18 definitions.A: is the number 1. Expected a JSON Schema.',
    ],
    [
      'a definition of no known type',
      'definitions:\n  A: {type: strin}\n',
      '2:3 definitions.A: is not a JSON Schema: schema is invalid: data/type must be equal to one of the allowed values, data/type must be array, data/type must match a schema in anyOf',
    ],
    [
      'a reference to what is not there',
      PACK.replace('Tree: {$ref: "#/$defs/Node"}', 'Tree: {$ref: "#/$defs/Nod"}'),
      '9:10 definitions.Tree.$ref: refers to #/$defs/Nod, which the pack.yaml of this pack does not define; did you mean "#/$defs/Node"?',
    ],
    [
      'a code twice',
      'errors:\n  - {code: E_A, retryable: true, hint: h}\n  - {code: E_A, retryable: true, hint: h}\n',
      '3:6 errors[1].code: E_A is declared twice',
    ],
    ['no YAML', 'errors: [', '1:10 is not YAML: Flow sequence in block collection must be sufficiently indented'],
  ])('%s', (_what, text, problem) => {
    expect(problemsOf(text)[0]).toContain(`src/pack.yaml:${problem}`)
  })
})

it('the schema for editors takes what is right, and nothing else', () => {
  const validate = new Ajv().compile(createPackMetaSchema())
  expect(validate(readPackMeta('src/pack.yaml', PACK).source.value)).toBe(true)
  for (const wrong of [{ error: [] }, { errors: [{ code: 'E_A' }] }, { internal_errors: ['a'] }, { definitions: 1 }]) {
    expect(validate(wrong), JSON.stringify(wrong)).toBe(false)
  }
})

describe('the data of a tool', () => {
  const { definitions } = readPackMeta('src/pack.yaml', PACK)

  it('may refer to what its pack defines', () => {
    expect(readToolMeta('tree.meta.yaml', TOOL, definitions).problems).toBeUndefined()
  })

  it.each([
    [TOOL.replace('$defs/Tree', '$defs/Tre'), 'refers to #/$defs/Tre', 'did you mean "#/$defs/Tree"?'],
    [TOOL.replace('#/$defs/Tree', '#/properties/a'), 'refers to #/properties/a', 'definitions: Node, Tree'],
  ])('that refers elsewhere is told where: %#', (text, problem, cure) => {
    const [first = ''] = (readToolMeta('tree.meta.yaml', text, definitions).problems ?? []).map(formatProblem)
    expect(first).toContain(`tree.meta.yaml:10:12 data.properties.tree.$ref: ${problem}`)
    expect(first).toContain(cure)
  })
})
