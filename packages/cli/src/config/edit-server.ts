/** What `remove`, `enable` and `disable` have in common: an entry that is there, changed, and told. */
import type { LoginOutcome } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatPath } from '../terminal/format.ts'
import { askVerdict, type DaemonVerdict, printVerdict, toVerdictJson } from './ask-verdict.ts'
import { changeConfig } from './change-config.ts'

export interface ServerEdit {
  readonly name: string
  /** `removed`, `enabled`, `disabled`, `changed` */
  readonly done: string
  readonly change: (text: string) => string
  /** What became of its login. */
  readonly login?: LoginOutcome
}

export async function editServer(context: CommandContext, { name, done, change, login }: ServerEdit): Promise<number> {
  const { out, home, isJson } = context
  const { isChanged } = await changeConfig(context, (text) => {
    if (text === undefined) {
      throw new SwitchboardError('unknown_server', `There is no server "${name}": ${home.configFile} does not exist.`, {
        hint: 'Add it with switchboard server add.',
      })
    }
    return change(text)
  })
  const verdict: DaemonVerdict = isChanged
    ? await askVerdict(context, name, done === 'enabled' || done === 'changed')
    : { state: 'none' }
  if (isJson)
    printJson(context, {
      ok: verdict.state !== 'refused',
      [done]: name,
      changed: isChanged,
      file: home.configFile,
      ...(login === undefined ? {} : { login }),
      ...toVerdictJson(verdict),
    })
  else if (!isChanged) out.line(`${out.style.bold(name)} is ${done} already; nothing was changed`)
  else {
    out.line(
      `${out.style.green(done)} ${out.style.bold(name)} ${done === 'removed' ? 'from' : 'in'} ${formatPath(home.configFile, home.userHome)}`,
    )
    printVerdict(context, name, verdict)
  }
  return verdict.state === 'refused' ? EXIT.configuration : EXIT.ok
}
