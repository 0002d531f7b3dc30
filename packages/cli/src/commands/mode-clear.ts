import { ModeFiles } from '@switchboard/daemon'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { toModeJson } from '../modes/describe-record.ts'
import { findInstance } from '../modes/find-instance.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { positionals }: CommandInput): Promise<number> {
  const { home, log, out } = context
  const [instance = ''] = positionals
  const files = new ModeFiles({ directory: home.modes, log })
  const before = await findInstance(files, instance)
  const record = await files.clear(instance, 'person')
  log.child({ inst: instance }).info('policy.mode', 'mode cleared', { set_by: 'person' })
  if (context.isJson) printJson(context, { ...toModeJson(record), previous: before.mode })
  else out.line(`${instance}: ${before.mode ?? 'no mode'} → no mode. Its agent has to declare one again.`)
  return EXIT.ok
}
