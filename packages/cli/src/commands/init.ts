import type { CommandInput } from '../command-line/command-spec.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { carryOut } from '../init/carry-out.ts'
import { createInitOptions } from '../init/create-init-options.ts'
import { type InitPlan, planInit } from '../init/plan-init.ts'
import { renderPlan, toPlanJson } from '../init/render-plan.ts'
import { runUndo } from '../init/run-undo.ts'
import { confirm } from '../memory/confirm.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCount, formatPath } from '../terminal/format.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const { out, io, isJson, home } = context
  if (options.flag('undo')) return runUndo(context)
  const given = await createInitOptions(context, options)
  const isAsked = !options.flag('yes') && !options.flag('dry-run')
  let plan = await planInit(given)
  if (
    isAsked &&
    plan.waiting.length > 0 &&
    io.stdin.isTTY === true &&
    !isJson &&
    (await wantsProjects(context, plan))
  ) {
    plan = await planInit({ ...given, isProjectTaken: true })
  }
  const isEmpty = plan.changes.length === 0
  if (options.flag('dry-run')) {
    if (isJson) printJson(context, { ok: true, dryRun: true, ...toPlanJson(plan) })
    else printPlan(context, plan)
    return EXIT.ok
  }
  if (isEmpty) {
    if (isJson) printJson(context, { ok: true, written: [], ...toPlanJson(plan) })
    else {
      printPlan(context, plan)
      out.line(plan.clients.length === 0 ? NO_CLIENTS : 'There is nothing to do: nothing was changed.')
    }
    return EXIT.ok
  }
  if (!isJson) printPlan(context, plan)
  if (isAsked && !(await mayWrite(context, plan))) {
    out.line('Nothing was changed.')
    return EXIT.failed
  }
  return carryOut(context, plan, (path) => formatPath(path, home.userHome))
}

const NO_CLIENTS = 'No client that Switchboard knows was found here. docs/init.md says where each is looked for.'

function printPlan({ out, home }: CommandContext, plan: InitPlan): void {
  const shorten = (path: string): string => formatPath(path, home.userHome)
  for (const line of renderPlan(plan, { style: out.style, shorten })) out.line(line)
}

async function wantsProjects(context: CommandContext, { waiting }: InitPlan): Promise<boolean> {
  const files = [...new Set(waiting.map(({ file }) => formatPath(file, context.home.userHome)))].join(', ')
  const names = waiting.map(({ name }) => name).join(', ')
  const question = `This project has ${formatCount(waiting.length, 'server')} of its own (${names} in ${files}). Take them over too, for every window?`
  return confirm(context, question, 'init')
}

async function mayWrite(context: CommandContext, { changes, servers }: InitPlan): Promise<boolean> {
  if (context.io.stdin.isTTY !== true || context.isJson) {
    throw new UsageError('Nobody can be asked here, so nothing was changed.', {
      command: 'init',
      hint: 'Say --yes to write what --dry-run shows.',
    })
  }
  const taken = servers.length === 0 ? '' : `Take over ${formatCount(servers.length, 'server')} and change`
  return confirm(context, `${taken === '' ? 'Change' : taken} ${formatCount(changes.length, 'file')}?`, 'init')
}
