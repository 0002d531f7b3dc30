/** A new pair of files that passes every check as it is, and its test: a tool that answers with its message. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nearestName, SwitchboardError } from '@switchboard/protocol'
import { toToolName, toTypeName } from '../manifest/tool-name.ts'
import { ALIAS_PATTERN } from '../meta/tool-shape.ts'
import type { GeneratedFile } from './generated-file.ts'
import { readPack } from './read-pack.ts'

export interface ScaffoldedTool {
  readonly name: string
  readonly files: readonly GeneratedFile[]
}

const PACKS = 'packages/packs'

/** Writes nothing. Throws `invalid_arguments` for a name that cannot be, or is taken; MetaError for a pack with problems. */
export function scaffoldTool(root: string, pack: string, alias: string): ScaffoldedTool {
  checkPack(root, pack)
  if (!ALIAS_PATTERN.test(alias)) {
    throw refuse(
      `"${alias}" is no alias of a tool`,
      'Write thing.action in small letters: breakpoint.add, debug.step-over.',
    )
  }
  const directory = `${PACKS}/${pack}`
  const name = toToolName(alias)
  for (const { declaration, module } of readPack(root, directory).tools) {
    if (declaration.name === name || declaration.aliases.includes(name)) {
      throw refuse(`The pack ${pack} has a tool ${name} already: ${directory}/${module}`, 'Choose another alias.')
    }
  }
  const file = alias.replaceAll('.', '-')
  const files = [
    { path: `${directory}/src/tools/${file}.meta.yaml`, content: createMeta(alias) },
    { path: `${directory}/src/tools/${file}.ts`, content: createCode(alias) },
    { path: `${directory}/test/tools/${file}.test.ts`, content: createTest(name, file) },
  ]
  const taken = files.find(({ path }) => existsSync(join(root, path)))
  if (taken !== undefined) throw refuse(`${taken.path} exists already`, 'Choose another alias, or remove the file.')
  return { name, files }
}

function checkPack(root: string, pack: string): void {
  const folder = join(root, PACKS)
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'package.json')))
    : []
  if (names.includes(pack)) return
  const nearest = nearestName(pack, names)
  throw refuse(
    `There is no pack "${pack}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    `Packs: ${names.sort().join(', ') || 'none'}.`,
  )
}

function refuse(message: string, hint: string): SwitchboardError {
  return new SwitchboardError('invalid_arguments', message, { hint })
}

function createMeta(alias: string): string {
  return `# yaml-language-server: $schema=../../../../../schema/tool.schema.json
alias: ${alias}
category: ${alias.split('.', 1)[0]}
summary: Answer with the message that was given
params:
  message: {type: string, required: true, minLength: 1, note: what to answer with}
  times: {type: integer, min: 1, max: 10, default: 1}
result: query
data:
  type: object
  properties:
    answer: {type: string}
  required: [answer]
timeout: 5s
safety: {read_only: true, destructive: false, idempotent: true}
errors:
  - {code: E_EMPTY_MESSAGE, retryable: false, hint: Give a message that is more than spaces.}
examples:
  - {what: say it twice, params: {message: hello, times: 2}}
llm:
  when_to_use: Use it to see that the pack works
`
}

function createCode(alias: string): string {
  const type = toTypeName(alias)
  return `import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { ${type}Data, ${type}Params } from '../generated/types.ts'

export function run({ message, times }: ${type}Params): ToolOutcome<${type}Data> {
  if (message.trim() === '') throw new ToolError('E_EMPTY_MESSAGE', 'The message is nothing but spaces')
  const answer = Array(times).fill(message).join(' ')
  return { data: { answer }, text: answer }
}
`
}

function createTest(name: string, file: string): string {
  return `import { describe, expect, it } from 'vitest'
import { run } from '../../src/tools/${file}.ts'

describe('${name}', () => {
  it('answers with the message, as often as it was asked to', () => {
    expect(run({ message: 'hello', times: 2 }).data).toEqual({ answer: 'hello hello' })
  })

  it('refuses a message of nothing but spaces', () => {
    expect(() => run({ message: ' ', times: 1 })).toThrow('The message is nothing but spaces')
  })
})
`
}
