/** What `remove`, `enable` and `disable` have in common: an entry that is there, changed, and told. */
import { SwitchboardError } from '@switchboard/protocol'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../exit-code.ts'
import { formatPath } from '../terminal/format.ts'
import { changeConfig } from './config-file.ts'
import { isAppliedLive, LIVE_NOTE } from './live-note.ts'

export interface ServerEdit {
  readonly name: string
  /** `removed`, `enabled`, `disabled` */
  readonly done: string
  readonly change: (text: string) => string
}

export async function editServer(context: CommandContext, { name, done, change }: ServerEdit): Promise<number> {
  const { out, home, isJson } = context
  const { isChanged } = await changeConfig(context, (text) => {
    if (text === undefined) {
      throw new SwitchboardError('unknown_server', `There is no server "${name}": ${home.configFile} does not exist.`, {
        hint: 'Add it with switchboard server add.',
      })
    }
    return change(text)
  })
  const isLive = isChanged && (await isAppliedLive(context))
  if (isJson) printJson(context, { ok: true, [done]: name, changed: isChanged, file: home.configFile, live: isLive })
  else if (!isChanged) out.line(`${out.style.bold(name)} is ${done} already; nothing was changed`)
  else
    out.line(
      `${out.style.green(done)} ${out.style.bold(name)} ${done === 'removed' ? 'from' : 'in'} ${formatPath(home.configFile, home.userHome)}`,
    )
  if (isLive && !isJson) out.line(out.style.dim(`  ${LIVE_NOTE}`))
  return EXIT.ok
}
