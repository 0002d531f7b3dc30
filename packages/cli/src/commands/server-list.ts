import { loadServers } from '../config/load-servers.ts'
import { describeServer, maskServer } from '../config/mask-server.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { EXAMPLE_COMMAND } from '../status/welcome.ts'
import { formatPath } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { renderTable } from '../terminal/table.ts'

export async function run(context: CommandContext): Promise<number> {
  const { out, home } = context
  const { servers, misconfigured } = await loadServers(context)
  if (context.isJson) {
    printJson(context, {
      file: home.configFile,
      servers: servers.map(maskServer),
      ...(misconfigured.length === 0 ? {} : { misconfigured }),
    })
    return EXIT.ok
  }
  const { style, width } = out
  const file = formatPath(home.configFile, home.userHome)
  if (servers.length + misconfigured.length === 0) {
    out.line(`No servers are configured in ${file}. Add one:`)
    out.line(`  ${style.cyan(EXAMPLE_COMMAND)}`)
    return EXIT.ok
  }
  const { header, rows } = renderTable(
    [
      { header: 'SERVER' },
      { header: 'TRANSPORT', short: 'VIA', priority: 1 },
      { header: 'ON' },
      { header: 'STARTS', priority: 0 },
      { header: 'COMMAND OR ADDRESS', shrinksTo: 20 },
    ],
    [
      ...servers.map((server) => [
        server.name,
        server.type,
        server.enabled ? 'yes' : style.yellow('no'),
        server.start,
        toSafeLine(describeServer(server)),
      ]),
      ...misconfigured.map(({ name }) => [toSafeLine(name), '–', style.red('no'), '–', style.red('misconfigured')]),
    ],
    { width, style },
  )
  out.line(header)
  for (const row of rows) out.line(row)
  for (const { reason } of misconfigured) for (const line of reason.split('\n')) out.line(style.red(toSafeLine(line)))
  out.line()
  out.line(style.dim(file))
  return EXIT.ok
}
