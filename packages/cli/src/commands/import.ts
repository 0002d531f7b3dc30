import { SwitchboardError } from '@switchboard/protocol/errors'
import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import type { CommandContext } from '../context/command-context.ts'
import { importLines } from '../memory/transfer.ts'

export async function run(context: CommandContext, { positionals: [file = '-'] }: CommandInput): Promise<number> {
  return runWithBackend(context, { isSilent: true }, async (backend) => {
    const code = await importLines(context, (command, params) => backend.runCommand('store', command, params), {
      file,
      params: {},
      command: 'import',
      describe: (count) =>
        `Stored ${count('stored')} (${count('vectors')} vectors), left ${count('left')} as they are: the same, or changed later.`,
    })
    // What the memory knows by heart may be another now.
    const { renamed = [] } = (await backend.runCommand('memory', 'refresh', {}).catch(ignoreSwitchedOff)) ?? {}
    // As the memory tells them.
    for (const { from, to } of renamed as unknown as readonly { from: string; to: string }[]) {
      context.err.line(`Another skill is called ${from} already: that of this import is called ${to} now.`)
    }
    return code
  })
}

function ignoreSwitchedOff(error: unknown): undefined {
  if (error instanceof SwitchboardError && error.code === 'pack_failed') return undefined
  throw error
}
