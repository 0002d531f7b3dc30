import type { Backend } from '../backend/backend.ts'
import { runWithBackend, waitUntilSettled } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { parseDuration } from '../command-line/parse-duration.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT, exitCodeOfInterruption } from '../exit-code.ts'
import { readInterruption } from '../io.ts'
import { summarizeStates } from '../status/server-state.ts'
import { renderStatusTable } from '../status/status-table.ts'
import { countTokens, countTokensByServer } from '../status/tool-tokens.ts'
import { renderWelcome } from '../status/welcome.ts'
import { formatCount, formatPath, formatTokens } from '../terminal/format.ts'

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const [only] = positionals
  const wait = parseDuration(options.text('wait') ?? '10s', 'wait', 'status')
  if (!options.flag('watch')) {
    return runWithBackend(context, { only }, (backend) => showOnce(context, backend, only, wait))
  }
  const isLive = context.out.isTTY && context.io.stdin.isTTY === true && !context.isJson
  return runWithBackend(context, { only, watch: true }, async (backend) => {
    if (isLive) {
      const { watchOnScreen } = await import('../status/watch-on-screen.ts')
      return watchOnScreen(context, backend, only)
    }
    const { watchInLines } = await import('../status/watch-in-lines.ts')
    return watchInLines(context, backend, only)
  })
}

async function showOnce(
  context: CommandContext,
  backend: Backend,
  only: string | undefined,
  wait: number,
): Promise<number> {
  const { out, io, home } = context
  backend.start()
  const all = await waitUntilSettled(context, backend, wait)
  const interruption = readInterruption(io.signal)
  if (interruption !== undefined) return exitCodeOfInterruption(interruption)
  const servers = all.filter(({ name }) => only === undefined || name === only)
  const tools = (await backend.tools()).filter(({ server }) => only === undefined || server === only)
  const tokens = countTokens(tools)
  const byServer = countTokensByServer(tools)
  const profiles = only === undefined ? await backend.profiles() : []
  if (context.isJson) {
    const withTokens = servers.map((server) => ({ ...server, tokens: byServer.get(server.name) ?? 0 }))
    printJson(context, { servers: withTokens, tools: tools.length, tokens, profiles })
    return EXIT.ok
  }
  const { style, width } = out
  if (servers.length === 0) {
    const configFile = formatPath(home.configFile, home.userHome)
    for (const line of renderWelcome({ style, width, configFile, isWatching: false })) out.line(line)
    return EXIT.ok
  }
  for (const line of renderStatusTable(servers, { style, width, tokens: byServer })) out.line(line)
  out.line()
  out.line(
    style.dim(
      `  ${summarizeStates(servers)} · ${formatCount(tools.length, 'tool')}, about ${formatTokens(tokens)} tokens`,
    ),
  )
  for (const { name, tools: listed, tokens: cost } of profiles) {
    out.line(style.dim(`  profile ${name}: ${formatCount(listed, 'tool')}, about ${formatTokens(cost)} tokens`))
  }
  return EXIT.ok
}
