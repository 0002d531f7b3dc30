import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { type ConfigProblem, explainProblem, formatKeyPath } from '@switchboard/config'
import { addServer } from '@switchboard/daemon/configuration'
import type { ServerConfig, ServerInput } from '@switchboard/pool'
import { estimateToolTokens } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { findServers } from '../add/find-servers.ts'
import type { PastedServer } from '../add/read-snippet.ts'
import { runWithBackend, waitUntilSettled } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { askVerdict, printVerdict, toVerdictJson } from '../config/ask-verdict.ts'
import { changeConfig, editOptions } from '../config/change-config.ts'
import { describeExposure, findHomeExposures } from '../config/find-home-exposures.ts'
import { loadServer } from '../config/load-servers.ts'
import { describeServer } from '../config/mask-server.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { adviseSearch } from '../status/search-advice.ts'
import { renderStatusTable } from '../status/status-table.ts'
import { formatCount, formatPath } from '../terminal/format.ts'
import { firstLine, toSafeLine } from '../terminal/safe-text.ts'

const TRY_MS = 60_000

export async function run(context: CommandContext, input: CommandInput): Promise<number> {
  const servers = await findServers(context, input)
  const [only] = servers
  if (only !== undefined && servers.length === 1) return addOne(context, input, only)
  return addSeveral(context, input, servers)
}

async function addOne(
  context: CommandContext,
  input: CommandInput,
  { name, input: entry, notes }: PastedServer,
): Promise<number> {
  const { out, home, isJson } = context
  const { style } = out
  await changeConfig(context, (text) => addChecked(text, name, entry, context))
  if (!isJson) {
    const what = toSafeLine(describeServer(entry))
    out.line(`${style.green('added')} ${style.bold(name)} to ${formatPath(home.configFile, home.userHome)}: ${what}`)
  }
  const server = await loadServer(context, name)
  const warnings = [...notes.map(toSafeLine), ...findWarnings(context, server, entry)]
  const privacy = describePrivacy(server)
  if (!isJson) {
    for (const warning of warnings) out.line(`${style.yellow('  !')} ${warning}`)
    if (privacy !== undefined) out.line(`  ${privacy}`)
  }
  if (input.options.flag('try')) return tryServer(context, name)
  const verdict = await askVerdict(context, name, true)
  if (isJson)
    printJson(context, {
      ok: verdict.state !== 'refused',
      added: name,
      file: home.configFile,
      ...toVerdictJson(verdict),
      shared: server.shared,
      ...(warnings.length === 0 ? {} : { warnings }),
    })
  else {
    printVerdict(context, name, verdict)
    // It has no tools before what stands above is done.
    const isLacking =
      verdict.state === 'applied' && ['misconfigured', 'auth_required'].includes(verdict.server?.state ?? '')
    if (!isLacking) out.line(style.dim(`  next: switchboard tools ${name}`))
    const advice = verdict.state === 'applied' ? await findAdvice(context) : undefined
    if (advice !== undefined) out.line(`${style.yellow('  !')} ${advice}`)
  }
  return verdict.state === 'refused' ? EXIT.configuration : EXIT.ok
}

/** Where the list of the daemon has become long by it. */
async function findAdvice(context: CommandContext): Promise<string | undefined> {
  return runWithBackend(context, { isSilent: true }, async (backend) => {
    const tools = await backend.tools()
    return adviseSearch(await backend.profiles(), { tools: tools.length, tokens: estimateToolTokens(tools) })
  })
}

/** All of them or none. */
async function addSeveral(
  context: CommandContext,
  { options }: CommandInput,
  servers: readonly PastedServer[],
): Promise<number> {
  const { out, home, isJson } = context
  const { style } = out
  if (options.flag('try')) throw new UsageError('--try is for one server.', { command: 'server add' })
  await changeConfig(
    context,
    (text) =>
      servers.reduce<string | undefined>((before, { name, input }) => addChecked(before, name, input, context), text) ??
      '',
  )
  const names = servers.map(({ name }) => name)
  const verdict = await askVerdict(context, names[0] ?? '', false)
  const isRefused = verdict.state === 'refused'
  if (isJson) {
    const warnings = servers.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`))
    printJson(context, {
      ok: !isRefused,
      added: names,
      file: home.configFile,
      ...toVerdictJson(verdict),
      ...(warnings.length === 0 ? {} : { warnings }),
    })
    return isRefused ? EXIT.configuration : EXIT.ok
  }
  for (const { name, input, notes } of servers) {
    out.line(`${style.green('added')} ${style.bold(name)}: ${toSafeLine(describeServer(input))}`)
    for (const note of notes) out.line(`${style.yellow('  !')} ${toSafeLine(note)}`)
  }
  if (verdict.state !== 'applied') printVerdict(context, names[0] ?? '', verdict)
  out.line(style.dim(`  they are in ${formatPath(home.configFile, home.userHome)}; next: switchboard status`))
  return isRefused ? EXIT.configuration : EXIT.ok
}

/** What is wrong with the new entry is told by its keys: it stands in no file, so it has no line. */
function addChecked(text: string | undefined, name: string, entry: ServerInput, context: CommandContext): string {
  try {
    return addServer(text, name, entry, editOptions(context))
  } catch (error) {
    const problems = error instanceof SwitchboardError ? readProblems(error.details.problems) : []
    const own = formatKeyPath(['mcpServers', name])
    if (problems.length === 0 || !problems.every(({ key }) => isWithin(key, own))) throw error
    const lines = problems.map(({ key, ...problem }) => {
      const what = key === own ? '' : `${key.slice(own.length).replace(/^\./, '')}: `
      return `${what}${explainProblem(problem)}`
    })
    throw new UsageError(lines.join('\n'), { command: 'server add', hint: 'Nothing was changed.' })
  }
}

function isWithin(key: string, own: string): boolean {
  return key.startsWith(own) && ['', '.', '['].includes(key.charAt(own.length))
}

function readProblems(problems: unknown): ConfigProblem[] {
  // Of our own reader.
  return Array.isArray(problems) ? (problems as ConfigProblem[]) : []
}

/** What a person may not have meant: the entry stays either way. */
function findWarnings({ home, io }: CommandContext, server: ServerConfig, entry: ServerInput): string[] {
  const exposures = findHomeExposures(server, home).map((exposure) => `${describeExposure(server, exposure)}.`)
  // The folder that the command was typed in is not the one that the server runs in.
  const near = entry.cwd === undefined ? (entry.args ?? []).filter((word) => isNearFile(word, io.cwd)) : []
  const folder = formatPath(join(home.servers, server.name), home.userHome)
  return [
    ...exposures,
    ...near.map(
      (word) => `${toSafeLine(word)} is looked for in ${folder}, where the server runs: give its whole path, or --cwd.`,
    ),
  ]
}

/** Undefined: all windows share it, or its entry says what it is to be. */
function describePrivacy({ privateReason }: ServerConfig): string | undefined {
  if (privateReason === undefined) return undefined
  return `every window gets one of its own, because ${privateReason}; with --set shared=true all windows share one`
}

function isNearFile(word: string, cwd: string): boolean {
  return /^[^-/~]/.test(word) && !isAbsolute(word) && existsSync(resolve(cwd, word))
}

/** Started once, to see whether it works; the entry stays either way. */
async function tryServer(context: CommandContext, name: string): Promise<number> {
  const { out, home, isJson } = context
  return runWithBackend(context, { only: name, isAlone: true }, async (backend) => {
    backend.start({ wake: { only: name } })
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
