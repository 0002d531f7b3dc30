import { createUnknownMode, ModeFiles } from '@switchboard/daemon'
import type { CommandInput } from '../command-line/command-spec.ts'
import { loadConfig } from '../config/load-config.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { toModeJson } from '../modes/describe-record.ts'
import { findInstance } from '../modes/find-instance.ts'
import { EXIT } from '../program/exit-code.ts'

/** Writes the file of that window, whoever runs: the next call reads it. */
export async function run(context: CommandContext, { positionals }: CommandInput): Promise<number> {
  const { home, log, out } = context
  const [instance = '', mode = ''] = positionals
  const { modes } = await loadConfig(context)
  if (!Object.hasOwn(modes, mode)) throw createUnknownMode(mode, Object.keys(modes))
  const files = new ModeFiles({ directory: home.modes, log })
  const before = await findInstance(files, instance)
  const record = await files.set(instance, mode, 'person')
  log.child({ inst: instance }).info('policy.mode', `mode set to ${mode}`, { set_by: 'person' })
  if (context.isJson) printJson(context, { ...toModeJson(record), previous: before.mode })
  else out.line(`${instance}: ${before.mode ?? 'no mode'} → ${mode}. It holds from its next call on.`)
  return EXIT.ok
}
