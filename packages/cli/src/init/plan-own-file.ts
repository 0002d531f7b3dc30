/** Our own configuration with the new servers in it, and the schema that a fresh one names. */
import { dirname, join } from 'node:path'
import { addServer, type EditOptions, SCHEMA_FILE_NAME, switchboardFile } from '@switchboard/daemon/configuration'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ChosenServer } from './choose-servers.ts'
import { type FileChange, lookAtFile } from './file-change.ts'

/** None: there is nothing new. Throws where the file is such that nothing may be written to it. */
export async function planOwnFile(
  servers: readonly ChosenServer[],
  options: EditOptions & { readonly file: string },
  text: string | undefined,
): Promise<FileChange[]> {
  if (servers.length === 0) return []
  const { file } = options
  const seen = await lookAtFile(file, undefined)
  if (seen.problem !== undefined) {
    throw new SwitchboardError('invalid_configuration', `${file} cannot be changed: ${seen.problem}.`, {
      hint: 'Every server would be written there. Make it writable, or name another one with --config.',
    })
  }
  const after = servers.reduce<string | undefined>(
    (before, { name, input }) => addServer(before, name, input, options),
    text,
  )
  const added = servers.map(({ name, input }) => ({ path: ['mcpServers', name], value: input }))
  const { bytes: before, target, mode } = seen
  const own = { root: undefined, format: 'json', removed: [], isFolderNew: false } as const
  const change: FileChange = { ...own, file, target, before, after: after ?? '', mode, added }
  return before === undefined ? [...(await planSchema(dirname(file))), change] : [change]
}

async function planSchema(folder: string): Promise<FileChange[]> {
  const file = join(folder, SCHEMA_FILE_NAME)
  const seen = await lookAtFile(file, undefined)
  if (seen.problem !== undefined || seen.bytes !== undefined) return []
  const after = `${JSON.stringify(switchboardFile.createSchema(), null, 2)}\n`
  return [
    {
      file,
      target: file,
      root: undefined,
      format: 'json',
      before: undefined,
      after,
      mode: 0o644,
      isFolderNew: false,
      removed: [],
      added: [],
    },
  ]
}
