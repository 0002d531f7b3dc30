import { isDeepStrictEqual } from 'node:util'
import { readJsonText, setProperty } from '@switchboard/config/text'
import { readServerText, replaceServer } from '@switchboard/daemon/configuration'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandInput } from '../command-line/command-spec.ts'
import { editOptions, readConfigFile } from '../config/change-config.ts'
import { editServer } from '../config/edit-server.ts'
import { applySetting } from '../config/read-entry.ts'
import type { CommandContext } from '../context/command-context.ts'
import { editText } from '../memory/edit-text.ts'
import { EXIT } from '../program/exit-code.ts'

const command = 'server edit'

export async function run(
  context: CommandContext,
  { options, positionals: [name = ''] }: CommandInput,
): Promise<number> {
  const before = readServerText((await readConfigFile(context)) ?? '{}', name, editOptions(context))
  const settings = options.list('set')
  const file = options.text('file')
  if (settings.length > 0) {
    return apply(context, name, setKeys(before, settings))
  }
  const written = await editText(context, {
    text: `${before}\n`,
    fileName: `${name}.jsonc`,
    file,
    command,
    take: async (text) => {
      await check(context, name, before, text)
      return text
    },
  })
  if (written !== undefined) return apply(context, name, written)
  context.out.line('Nothing was changed.')
  return EXIT.ok
}

/** Throws what is wrong with it; nothing is written. */
async function check(context: CommandContext, name: string, before: string, content: string): Promise<void> {
  const text = (await readConfigFile(context)) ?? '{}'
  const options = editOptions(context)
  if (readServerText(text, name, options) !== before) {
    throw new SwitchboardError(
      'invalid_configuration',
      `The entry of "${name}" was changed by somebody else meanwhile.`,
      {
        hint: 'Look at it, and edit it again.',
      },
    )
  }
  replaceServer(text, name, content, options)
}

function apply(context: CommandContext, name: string, content: string): Promise<number> {
  return editServer(context, {
    name,
    done: 'changed',
    change: (text) => replaceServer(text, name, content, editOptions(context)),
  })
}

/** Comments and layout of what is not set stay. */
function setKeys(text: string, settings: readonly string[]): string {
  const before = readObject(text)
  const entry = structuredClone(before)
  for (const pair of settings) applySetting(entry, pair, command)
  const changed = Object.entries(entry).filter(([key, value]) => !isDeepStrictEqual(value, before[key]))
  return changed.reduce((written, [key, value]) => setProperty(written, [key], value), text)
}

function readObject(text: string): JsonObject {
  const reading = readJsonText(text)
  return reading.problem === undefined && isJsonObject(reading.value) ? { ...reading.value } : {}
}
