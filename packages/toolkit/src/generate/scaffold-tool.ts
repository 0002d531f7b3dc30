/** A new pair of files that passes every check as it is, and its test: a tool that answers with its message. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nearestName } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { toToolName, toTypeName } from '../manifest/tool-name.ts'
import { ALIAS_PATTERN } from '../meta/tool-fields.ts'
import type { GeneratedFile } from './generated-file.ts'
import { listPacks, packDirectory } from './list-packs.ts'
import { readPack } from './read-pack.ts'
import { createToolMeta } from './tool-template.ts'

export interface ScaffoldedTool {
  readonly name: string
  readonly files: readonly GeneratedFile[]
}

/** Writes nothing. Throws `invalid_arguments` for a name that cannot be, or is taken; MetaError for a pack with problems. */
export function scaffoldTool(root: string, pack: string, alias: string): ScaffoldedTool {
  checkPack(root, pack)
  if (!ALIAS_PATTERN.test(alias)) {
    throw refuse(
      `"${alias}" is no alias of a tool`,
      'Write thing.action in small letters: breakpoint.add, debug.step-over.',
    )
  }
  const directory = packDirectory(pack)
  const name = toToolName(alias)
  for (const { declaration, module } of readPack(root, directory).tools) {
    if (declaration.name === name || declaration.aliases.includes(name)) {
      throw refuse(`The pack ${pack} has a tool ${name} already: ${directory}/${module}`, 'Choose another alias.')
    }
  }
  const file = alias.replaceAll('.', '-')
  const files = [
    {
      path: `${directory}/src/tools/${file}.meta.yaml`,
      content: createToolMeta({
        alias,
        times: 'min: 1, max: 10',
        error: { code: 'E_EMPTY_MESSAGE', hint: 'Give a message that is more than spaces.' },
      }),
    },
    { path: `${directory}/src/tools/${file}.ts`, content: createCode(alias) },
    { path: `${directory}/test/tools/${file}.test.ts`, content: createTest(name, file) },
  ]
  const taken = files.find(({ path }) => existsSync(join(root, path)))
  if (taken !== undefined) throw refuse(`${taken.path} exists already`, 'Choose another alias, or remove the file.')
  return { name, files }
}

function checkPack(root: string, pack: string): void {
  const names = listPacks(root)
  if (names.includes(pack)) return
  const nearest = nearestName(pack, names)
  throw refuse(
    `There is no pack "${pack}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    `Packs: ${names.join(', ') || 'none'}.`,
  )
}

function refuse(message: string, hint: string): SwitchboardError {
  return new SwitchboardError('invalid_arguments', message, { hint })
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
