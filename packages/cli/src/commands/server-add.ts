import { addServer } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol'
import { runWithBackend, waitUntilSettled } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { changeConfig, editOptions } from '../config/config-file.ts'
import { isAppliedLive, LIVE_NOTE } from '../config/live-note.ts'
import { readEntry } from '../config/read-entry.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../exit-code.ts'
import { renderStatusTable } from '../status/status-table.ts'
import { formatCount, formatPath } from '../terminal/format.ts'
import { firstLine } from '../terminal/safe-text.ts'

const TRY_MS = 60_000

export async function run(context: CommandContext, input: CommandInput): Promise<number> {
  const [name = ''] = input.positionals
  const entry = readEntry(input, context.io.cwd)
  const { out, home, isJson } = context
  const { style } = out
  await changeConfig(context, (text) => addServer(text, name, entry, editOptions(context)))
  if (!isJson) {
    const what = entry.url ?? [entry.command, ...(entry.args ?? [])].join(' ')
    out.line(`${style.green('added')} ${style.bold(name)} to ${formatPath(home.configFile, home.userHome)}: ${what}`)
  }
  if (input.options.flag('try')) return tryServer(context, name)
  const isLive = await isAppliedLive(context)
  if (isJson) printJson(context, { ok: true, added: name, file: home.configFile, live: isLive })
  else {
    if (isLive) out.line(style.dim(`  ${LIVE_NOTE}`))
    out.line(style.dim(`  next: switchboard tools ${name}`))
  }
  return EXIT.ok
}

/** Started once, to see whether it works; the entry stays either way. */
async function tryServer(context: CommandContext, name: string): Promise<number> {
  const { out, home, isJson } = context
  return runWithBackend(context, { only: name, isAlone: true }, async (backend) => {
    backend.start({ lazy: true })
    const servers = await waitUntilSettled(context, backend, TRY_MS)
    const server = servers.find((candidate) => candidate.name === name)
    const tools = (await backend.tools()).filter((tool) => tool.server === name)
    const isUp = server?.state === 'ready' || server?.state === 'probing'
    if (isJson) {
      printJson(context, { ok: isUp, added: name, file: home.configFile, server, tools })
      return isUp ? EXIT.ok : EXIT.unavailable
    }
    if (server === undefined) throw new SwitchboardError('unknown_server', `No server is named "${name}"`)
    const { style, width } = out
    for (const line of renderStatusTable([server], { style, width })) out.line(line)
    if (!isUp) {
      out.line(`It is in the configuration, but it does not start. To take it out: switchboard server remove ${name}`)
      return EXIT.unavailable
    }
    out.line(`${style.green('It works')}: ${formatCount(tools.length, 'tool')}`)
    for (const tool of tools) out.line(`  ${style.cyan(tool.name)}  ${firstLine(tool.description ?? '')}`.trimEnd())
    return EXIT.ok
  })
}
