import { describe, expect, it } from 'vitest'
import { formatProblem } from '../../src/meta/meta-problem.ts'
import { createMetaSchema } from '../../src/meta/meta-schema.ts'
import { readToolMeta } from '../../src/meta/read-tool-meta.ts'

const GOOD = `alias: breakpoint.add
category: breakpoint
summary: Set a breakpoint
result: action
timeout: 5s
safety: {read_only: false, destructive: false, idempotent: true}
`

function problemsOf(text: string): string[] {
  return (readToolMeta('add.meta.yaml', text).problems ?? []).map(formatProblem)
}

describe('a good declaration', () => {
  it('needs only what is never inferred', () => {
    const reading = readToolMeta('add.meta.yaml', GOOD)
    expect(reading.problems).toBeUndefined()
    expect(reading).toMatchObject({
      declaration: {
        alias: 'breakpoint.add',
        name: 'breakpoint_add',
        aliases: [],
        listed: true,
        core: false,
        timeoutMs: 5_000,
        input: { type: 'object', properties: {}, additionalProperties: false },
        safety: { readOnly: false, destructive: false, idempotent: true },
        requires: [],
        errors: [],
        next: [],
      },
    })
  })

  it('may say everything', () => {
    const text = `${GOOD}aliases: [debug.set-breakpoint]
description: |
  Two
  lines.
params:
  path: {type: path, required: true}
  line: {type: integer, min: 1, max: 9, required: true, note: counted from 1}
  condition: {type: string, minLength: 1, maxLength: 99, pattern: "^a"}
  kind: {type: enum, values: [plain, log], default: plain}
  rate: {type: number, min: 0.5}
  on: {type: boolean, default: true}
  lines: {type: array, items: {type: integer, min: 1}, min: 1, max: 3}
  env: {type: object, items: {type: string}}
  any: {type: object}
  filter: {type: object, properties: {name: {type: string, required: true}}}
data: {type: object, properties: {bound: {type: boolean}}}
requires: [workspace, session]
errors: [{code: E_FILE_NOT_FOUND, retryable: true, hint: Check it.}]
examples: [{what: one, params: {path: a.ts, line: 3}}]
mcp: {enabled: false, tool: breakpoint_put, description: Put one}
llm:
  when_to_use: >
    When you must
    stop.
  parameter_hints: {condition: {examples: ["i > 10"], note: In the language}}
  next: [debug_start]
`
    expect(readToolMeta('add.meta.yaml', text)).toMatchObject({
      declaration: {
        name: 'breakpoint_put',
        aliases: ['debug_set_breakpoint'],
        description: 'Two\nlines.',
        listed: false,
        listedDescription: 'Put one',
        whenToUse: 'When you must stop.',
        next: ['debug_start'],
        requires: ['workspace', 'session'],
        input: {
          required: ['path', 'line'],
          properties: {
            path: { type: 'string', minLength: 1 },
            line: { type: 'integer', minimum: 1, maximum: 9, description: 'counted from 1' },
            condition: { type: 'string', minLength: 1, maxLength: 99, pattern: '^a' },
            kind: { type: 'string', enum: ['plain', 'log'], default: 'plain' },
            rate: { type: 'number', minimum: 0.5 },
            on: { type: 'boolean', default: true },
            lines: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: 3 },
            env: { type: 'object', additionalProperties: { type: 'string' } },
            any: { type: 'object' },
            filter: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          },
        },
      },
    })
  })
})

describe('a problem names its place, the key and the cure', () => {
  it.each<[string, string, string[]]>([
    [
      'a tool of the short list that is in no list',
      `${GOOD}mcp: {enabled: false, core: true}\n`,
      ['add.meta.yaml:7:23 mcp.core: cannot be true for a tool that is in no list'],
    ],
    [
      'a missing summary',
      GOOD.replace('summary: Set a breakpoint\n', ''),
      [
        'add.meta.yaml:1:1 the key "summary" is missing. Expected what it does, in one sentence of at most 120 characters.',
      ],
    ],
    [
      'an unknown key, with the nearest',
      GOOD.replace('summary:', 'sumary:'),
      [
        'add.meta.yaml:1:1 the key "summary" is missing. Expected what it does, in one sentence of at most 120 characters.',
        'add.meta.yaml:3:1 sumary: unknown key. Expected a key of a tool. Did you mean "summary"?',
      ],
    ],
    [
      'an unknown key that is like none',
      `${GOOD}zebra: 1\n`,
      [
        'add.meta.yaml:7:1 zebra: unknown key. Expected a key of a tool: alias, aliases, category, summary, description, params, result, data, timeout, safety, rate, requires, errors, examples, mcp, llm.',
      ],
    ],
    [
      'a summary that is too long',
      GOOD.replace('Set a breakpoint', 'x'.repeat(121)),
      [
        'add.meta.yaml:3:10 summary: has 121 characters. Expected what it does, in one sentence of at most 120 characters.',
      ],
    ],
    [
      'an empty summary',
      GOOD.replace('Set a breakpoint', '""'),
      ['add.meta.yaml:3:10 summary: is empty. Expected what it does, in one sentence of at most 120 characters.'],
    ],
    [
      'an alias that is not thing.action',
      GOOD.replace('breakpoint.add', 'AddBreakpoint'),
      [
        'add.meta.yaml:1:8 alias: is the string "AddBreakpoint". Expected thing.action in small letters, such as breakpoint.add or debug.step-over.',
      ],
    ],
    [
      'safety that leaves something out',
      GOOD.replace(', idempotent: true', ''),
      [
        'add.meta.yaml:6:9 safety: the key "idempotent" is missing. Expected true or false: whether a second call changes nothing more.',
      ],
    ],
    [
      'safety that contradicts itself',
      GOOD.replace('read_only: false, destructive: false', 'read_only: true, destructive: true'),
      ['add.meta.yaml:6:27 safety.destructive: cannot be true for a tool that is read_only'],
    ],
    [
      'a result of an unknown kind',
      GOOD.replace('result: action', 'result: actoin'),
      [
        'add.meta.yaml:4:9 result: is the string "actoin". Expected one of "action", "query", "waitable". Did you mean "action"?',
      ],
    ],
    [
      'a timeout without a unit',
      GOOD.replace('5s', '5'),
      [
        'add.meta.yaml:5:10 timeout: is the number 5. Expected how long it may take, a duration such as 500ms, 5s or 2m.',
      ],
    ],
    [
      'a timeout of nothing',
      GOOD.replace('5s', '0s'),
      ['add.meta.yaml:5:1 timeout: must be more than nothing and at most 168h, not 0s'],
    ],
    [
      'a timeout that no timer can count',
      GOOD.replace('5s', '20000m'),
      ['add.meta.yaml:5:1 timeout: must be more than nothing and at most 168h, not 20000m'],
    ],
    [
      'a rate at which nobody could call it',
      `${GOOD}rate: {per_second: 0, burst: 0}\n`,
      [
        'add.meta.yaml:7:8 rate.per_second: must be more than 0, not 0',
        'add.meta.yaml:7:23 rate.burst: must be at least 1, not 0',
      ],
    ],
    [
      'a timeout shorter than the default of timeoutMs',
      `${GOOD}params:\n  timeoutMs: {type: integer, default: 30000}\n`,
      ['add.meta.yaml:5:1 timeout: is 5s, shorter than the default of the parameter timeoutMs (30000 ms)'],
    ],
    [
      'an unknown type of a parameter',
      `${GOOD}params:\n  line:\n    type: int\n`,
      [
        'add.meta.yaml:9:11 params.line.type: is the string "int". Expected one of "string", "integer", "number", "boolean", "path", "enum", "array", "object". Did you mean "integer"?',
      ],
    ],
    [
      'a default of the wrong type',
      `${GOOD}params:\n  line: {type: integer, default: "3"}\n`,
      [
        'add.meta.yaml:8:25 params.line.default: is "3", which the parameter itself refuses: default must be an integer, not "3"',
      ],
    ],
    [
      'a default outside of its bounds',
      `${GOOD}params:\n  line: {type: integer, min: 1, default: 0}\n`,
      [
        'add.meta.yaml:8:33 params.line.default: is 0, which the parameter itself refuses: default must be an integer, at least 1, not 0',
      ],
    ],
    [
      'a default beside required',
      `${GOOD}params:\n  line: {type: integer, required: true, default: 1}\n`,
      ['add.meta.yaml:8:25 params.line.required: cannot be true beside a default: a call without it gets the default'],
    ],
    [
      'a key that does not fit the type',
      `${GOOD}params:\n  on: {type: boolean, min: 1}\n`,
      ['add.meta.yaml:8:23 params.on.min: does not fit the type boolean; only integer, number, array may have it'],
    ],
    [
      'an enum without values',
      `${GOOD}params:\n  kind: {type: enum}\n`,
      ['add.meta.yaml:8:3 params.kind.values: is missing: what the enum may be'],
    ],
    [
      'bounds the wrong way round',
      `${GOOD}params:\n  line: {type: integer, min: 5, max: 1}\n`,
      ['add.meta.yaml:8:25 params.line.min: is 5, more than max (1)'],
    ],
    [
      'a pattern that is none',
      `${GOOD}params:\n  id: {type: string, pattern: "("}\n`,
      ['add.meta.yaml:8:22 params.id.pattern: is not a regular expression: ('],
    ],
    [
      'a parameter inside of an object',
      `${GOOD}params:\n  filter: {type: object, properties: {size: {type: integer, defualt: 3}}}\n`,
      [
        'add.meta.yaml:8:61 params.filter.properties.size.defualt: unknown key. Expected a key of a parameter. Did you mean "default"?',
      ],
    ],
    [
      'a name of a parameter with a hyphen',
      `${GOOD}params:\n  max-depth: {type: integer}\n`,
      [
        'add.meta.yaml:8:3 params.max-depth: is not a valid name. Expected a name in camelCase or snake_case, of letters and digits.',
      ],
    ],
    [
      'an example that fails its own schema',
      `${GOOD}params:\n  line: {type: integer, required: true}\nexamples:\n  - {what: x, params: {lien: 3}}\n`,
      [
        'add.meta.yaml:10:15 examples[0].params: fails the tool\'s own parameters: line is required (an integer); "lien" was given',
        'add.meta.yaml:10:15 examples[0].params: fails the tool\'s own parameters: lien is not a parameter (did you mean "line"?)',
      ],
    ],
    [
      'a code that is none',
      `${GOOD}errors:\n  - {code: NOT_FOUND, retryable: true, hint: x}\n`,
      [
        'add.meta.yaml:8:12 errors[0].code: is the string "NOT_FOUND". Expected E_ and capital letters, such as E_FILE_NOT_FOUND, or a code of docs/errors.md.',
      ],
    ],
    [
      'a code that is declared twice',
      `${GOOD}errors:\n  - {code: E_A, retryable: true, hint: x}\n  - {code: E_A, retryable: true, hint: y}\n`,
      ['add.meta.yaml:9:6 errors[1].code: E_A is declared twice'],
    ],
    [
      'a requirement nobody knows',
      `${GOOD}requires: [sesion]\n`,
      [
        'add.meta.yaml:7:12 requires[0]: is the string "sesion". Expected one of "workspace", "session", "paused", "language-server", "vscode". Did you mean "session"?',
      ],
    ],
    [
      'a hint for a parameter that is not there',
      `${GOOD}params: {line: {type: integer}}\nllm: {parameter_hints: {lines: {note: x}}}\n`,
      ['add.meta.yaml:8:25 llm.parameter_hints.lines: is not a parameter of this tool; did you mean "line"?'],
    ],
    [
      'data that is no schema',
      `${GOOD}data: {type: objekt}\n`,
      [
        'add.meta.yaml:7:1 data: is not a JSON Schema: schema is invalid: data/type must be equal to one of the allowed values, data/type must be array, data/type must match a schema in anyOf',
      ],
    ],
    [
      'what is no map',
      '- 1\n',
      ['add.meta.yaml:1:1 is a list. Expected a map with alias, category, summary, result, timeout, safety.'],
    ],
    [
      'an empty file',
      '',
      ['add.meta.yaml:1:1 is null. Expected a map with alias, category, summary, result, timeout, safety.'],
    ],
    ['a key twice', `${GOOD}alias: x.y\n`, ['add.meta.yaml:7:1 is not YAML: Map keys must be unique']],
  ])('%s', (_name, text, expected) => {
    expect(problemsOf(text)).toEqual(expected)
  })

  it('and all problems of a file come at once, in the order of their lines', () => {
    const text = `alias: x
category: c
summary: s
params:
  a: {type: integr}
  b: {type: integer, default: x}
result: query
timeout: never
safety: {read_only: true, destructive: true, idempotent: true}
errors:
  - {code: E_A, retryable: yes please, hint: x}
`
    expect(problemsOf(text).map((problem) => problem.split(':', 3).slice(1).join(':'))).toEqual([
      '1:8 alias',
      '5:13 params.a.type',
      '6:22 params.b.default',
      '8:10 timeout',
      '9:27 safety.destructive',
      '11:28 errors[0].retryable',
    ])
  })

  it('with text that is not YAML at all, where that is', () => {
    expect(problemsOf(`${GOOD}params: {a: [\n`)).toEqual([
      'add.meta.yaml:8:1 is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
      'add.meta.yaml:8:1 is not YAML: Flow map in block collection must be sufficiently indented and end with a }',
    ])
    expect(problemsOf(`${GOOD}description: *nobody\n`)).toEqual([
      'add.meta.yaml:1:1 is not YAML: Unresolved alias (the anchor must be set before the alias): nobody',
    ])
  })
})

it('the schema for editors knows every key, and a parameter inside of a parameter', () => {
  const schema = JSON.stringify(createMetaSchema())
  for (const key of ['alias', 'when_to_use', 'parameter_hints', 'idempotent', 'minLength']) {
    expect(schema).toContain(`"${key}":`)
  }
  expect(createMetaSchema()).toMatchObject({
    type: 'object',
    additionalProperties: false,
    $defs: { param: { type: 'object', properties: { items: { $ref: '#/$defs/param' } } } },
  })
})
