/** Does what was planned and shown: the journal first, our own configuration next, then the clients' files. */
import { askVerdict, type DaemonVerdict, toVerdictJson } from '../config/ask-verdict.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { applyChange } from './apply-changes.ts'
import { forgetFiles, removeJournal, writeJournal } from './journal.ts'
import type { InitPlan } from './plan-init.ts'
import { toPlanJson } from './render-plan.ts'

interface Failure {
  readonly file: string
  readonly reason: string
}

export async function carryOut(
  context: CommandContext,
  plan: InitPlan,
  shorten: (path: string) => string,
): Promise<number> {
  const { home, log } = context
  const run = await writeJournal(home.directory, plan.changes, Date.now())
  const written: string[] = []
  const failed: Failure[] = []
  for (const change of plan.changes) {
    const reason = await applyChange(change)
    if (reason === undefined) {
      written.push(change.file)
      log.info('cli.init', `changed ${change.file}`)
      continue
    }
    failed.push({ file: change.file, reason })
    // Without its servers here, no client may lose them.
    if (change.file === home.configFile) break
  }
  if (written.length === 0) await removeJournal(run)
  else if (written.length < plan.changes.length) {
    await forgetFiles(
      run,
      plan.changes.map(({ file }) => file).filter((file) => !written.includes(file)),
    )
  }
  const [first] = plan.servers.filter(({ isNew }) => isNew)
  const isOwnWritten = written.includes(home.configFile)
  const verdict: DaemonVerdict =
    first !== undefined && isOwnWritten ? await askVerdict(context, first.name, false) : { state: 'none' }
  const isWell = failed.length === 0 && verdict.state !== 'refused'
  if (context.isJson) {
    printJson(context, {
      ok: isWell,
      ...toPlanJson(plan),
      written,
      failed,
      backup: run.folder,
      ...toVerdictJson(verdict),
    })
  } else report(context, plan, { written, failed, folder: run.folder, verdict }, shorten)
  return isWell ? EXIT.ok : EXIT.failed
}

interface Result {
  readonly written: readonly string[]
  readonly failed: readonly Failure[]
  readonly folder: string
  readonly verdict: DaemonVerdict
}

function report(
  { out }: CommandContext,
  { servers, clients }: InitPlan,
  { written, failed, folder, verdict }: Result,
  shorten: (path: string) => string,
): void {
  const { style } = out
  for (const file of written) out.line(`${style.green('wrote')} ${shorten(file)}`)
  for (const { file, reason } of failed) out.line(`${style.red('✗')} ${shorten(file)} is as it was: ${reason}`)
  if (verdict.state === 'refused') out.line(`${style.red('✗')} the daemon refuses the configuration: ${verdict.reason}`)
  if (verdict.state === 'applied') out.line(style.dim('the daemon that runs has applied it'))
  const names = clients.filter(({ way }) => way === 'entry').map(({ name }) => name)
  if (written.length === 0) return
  if (names.length > 0) out.line(`Start ${names.join(', ')} anew: each has everything through Switchboard then.`)
  if (servers.length > 0) out.line('switchboard status --no-daemon tries every server now.')
  out.line(style.dim(`What the files held is kept in ${shorten(folder)}; switchboard init --undo puts it back.`))
}
