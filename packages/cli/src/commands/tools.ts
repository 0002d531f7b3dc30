import { setProfileSearch } from '@switchboard/daemon/configuration'
import { wordOfState } from '@switchboard/daemon/state-words'
import { estimateToolTokens } from '@switchboard/protocol'
import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import type { BackendServer, BackendTool } from '../backend/backend.ts'
import { runWithBackend, waitUntilSettled } from '../backend/run-with-backend.ts'
import { describeArguments } from '../call/describe-arguments.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { readDuration } from '../command-line/read-duration.ts'
import { askVerdict, printVerdict, toVerdictJson } from '../config/ask-verdict.ts'
import { changeConfig, editOptions } from '../config/change-config.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT, exitCodeOfInterruption } from '../program/exit-code.ts'
import { readInterruption } from '../program/io.ts'
import { adviseSearch } from '../status/search-advice.ts'
import { ofServers, toListed } from '../status/tool-tokens.ts'
import { EXAMPLE_COMMAND } from '../status/welcome.ts'
import { formatCount, formatPath, formatTokens } from '../terminal/format.ts'
import { firstLine, toSafeText } from '../terminal/safe-text.ts'
import { renderTable } from '../terminal/table.ts'
import { wrapText } from '../terminal/text-width.ts'

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const [only] = positionals
  const wait = readDuration(options.text('wait') ?? '10s', 'wait', 'tools')
  const schema = options.text('schema')
  const search = options.text('search')
  if (search !== undefined) return switchSearch(context, search === 'on')
  const isOwn = only === OWN_PROVIDER
  const meant = { only: isOwn ? undefined : only, isAlone: options.flag('no-daemon') }
  return runWithBackend(context, meant, async (backend) => {
    if (schema !== undefined) {
      const tool = await backend.findTool(schema, context.io)
      context.out.line(JSON.stringify(toListed(tool), null, 2))
      return EXIT.ok
    }
    // Our own tools need no server.
    if (!isOwn) backend.start({ wake: { only } })
    const servers = isOwn ? await backend.status() : await waitUntilSettled(context, backend, wait)
    const interruption = readInterruption(context.io.signal)
    if (interruption !== undefined) return exitCodeOfInterruption(interruption)
    const all = await backend.tools()
    const theirs = ofServers(all, servers)
    const own = all.filter((tool) => !theirs.includes(tool))
    const tools = isOwn ? own : only === undefined ? all : theirs.filter(({ server }) => server === only)
    if (context.isJson) printJson(context, { tools, tokens: estimateToolTokens(tools) })
    else {
      if (options.flag('long')) printLong(context, tools)
      else printTable(context, tools)
      if (isOwn || servers.length > 0) printSummary(context, servers, tools, only)
      else printInvitation(context)
      const all = { tools: tools.length, tokens: estimateToolTokens(tools) }
      const advice = only === undefined ? await adviseSearch(await backend.profiles(), all) : undefined
      if (advice !== undefined)
        for (const line of wrapText(context.out.inForm(advice), context.out.width)) context.out.line(line)
    }
    return EXIT.ok
  })
}

/** For the profile that holds where none is named. */
async function switchSearch(context: CommandContext, isOn: boolean): Promise<number> {
  const { out, home, isJson } = context
  const change = (text: string | undefined): string => setProfileSearch(text, 'default', isOn, editOptions(context))
  const { isChanged } = await changeConfig(context, change)
  const verdict = await askVerdict(context, '', false)
  if (isJson) {
    const told = { search: isOn, changed: isChanged, file: home.configFile, ...toVerdictJson(verdict) }
    printJson(context, { ok: verdict.state !== 'refused', ...told })
  } else {
    const what = isOn
      ? 'find tools by searching; tool_search, tool_describe and tool_call are listed'
      : 'have all tools listed'
    out.line(`Agents ${what} (profile default in ${formatPath(home.configFile, home.userHome)}).`)
    if (verdict.state !== 'none') printVerdict(context, '', verdict)
  }
  return verdict.state === 'refused' ? EXIT.configuration : EXIT.ok
}

function printTable({ out }: CommandContext, tools: readonly BackendTool[]): void {
  if (tools.length === 0) return
  const { style, width } = out
  const { header, rows } = renderTable(
    [{ header: 'TOOL' }, { header: 'SERVER', priority: 1 }, { header: 'DESCRIPTION', shrinksTo: 14 }],
    tools.map((tool) => [
      tool.stale ? `${tool.name} ${style.yellow('(stale)')}` : tool.name,
      style.dim(tool.server),
      firstLine(tool.description ?? tool.title ?? ''),
    ]),
    { width, style },
  )
  out.line(header)
  for (const row of rows) out.line(row)
}

function printLong({ out }: CommandContext, tools: readonly BackendTool[]): void {
  const { style, width } = out
  for (const tool of tools) {
    out.line(`${style.bold(tool.name)}  ${style.dim(tool.server)}${tool.stale ? style.yellow('  (stale)') : ''}`)
    const description = toSafeText(tool.description ?? tool.title ?? '').trim()
    for (const line of description === '' ? [] : wrapText(description, Math.min(width, 100) - 4))
      out.line(`    ${line}`.trimEnd())
    for (const argument of describeArguments(tool.inputSchema)) {
      const mark = argument.required ? '' : style.dim(' (optional)')
      const about = argument.description === '' ? '' : `: ${firstLine(argument.description)}`
      out.line(`    ${style.cyan(argument.name)} ${style.dim(argument.type)}${mark}${about}`)
    }
    out.line()
  }
}

function printSummary(
  context: CommandContext,
  all: readonly BackendServer[],
  tools: readonly BackendTool[],
  only: string | undefined,
): void {
  const { out, err } = context
  const { style } = out
  const servers = all.filter(({ name }) => only === undefined || name === only)
  const theirs = ofServers(tools, servers)
  const from = [
    ...(only === OWN_PROVIDER ? [] : [formatCount(new Set(theirs.map(({ server }) => server)).size, 'server')]),
    ...(theirs.length === tools.length ? [] : ['Switchboard itself']),
  ].join(' and ')
  if (tools.length > 0) out.line()
  const summary = `${formatCount(tools.length, 'tool')} of ${from}, about ${formatTokens(estimateToolTokens(tools))} tokens`
  for (const line of wrapText(summary, out.width)) out.line(style.dim(line))
  for (const { name, state, reason } of servers) {
    if (state === 'ready' || state === 'probing' || state === 'disabled' || state === 'idle') continue
    const why = reason === undefined ? '' : `: ${firstLine(reason)}`
    err.line(`${err.style.yellow('warning:')} ${name} is not up (${wordOfState(state)})${why}`)
  }
}

function printInvitation({ out, home }: CommandContext): void {
  out.line()
  out.line(`No servers are configured in ${formatPath(home.configFile, home.userHome)} yet. Add one:`)
  out.line(`  ${out.style.cyan(EXAMPLE_COMMAND)}`)
}
