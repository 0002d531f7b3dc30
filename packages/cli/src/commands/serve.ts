import { once } from 'node:events'
import { openSwitchboard } from '@switchboard/daemon'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandInput } from '../command-line/command-spec.ts'
import { readDuration } from '../command-line/read-duration.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { ensureConnectToken, formatHeader } from '../context/connect-header.ts'
import { createSwitchboardOptions } from '../context/switchboard-options.ts'
import { EXIT, exitCodeOfInterruption } from '../program/exit-code.ts'
import { readInterruption } from '../program/io.ts'
import { OPEN_TO_ALL } from '../status/daemon-lines.ts'
import { formatPath } from '../terminal/format.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const { io, out, err, home, log, logHold } = context
  logHold.keep()
  const host = options.text('host') ?? io.env.SWITCHBOARD_HTTP_HOST
  const port =
    readPort(options.text('port'), '--port') ?? readPort(io.env.SWITCHBOARD_HTTP_PORT, 'SWITCHBOARD_HTTP_PORT')
  const drain = readDuration(options.text('drain') ?? '5s', 'drain', 'serve')
  const { switchboard, close } = await openSwitchboard({
    ...createSwitchboardOptions(context),
    force: io.force,
    onReconfigured: (outcome) => {
      if (outcome instanceof SwitchboardError)
        err.line(`configuration refused, the old one goes on: ${outcome.message}`)
      else if (outcome.reason !== undefined)
        err.line(`configuration applied, except where to listen: ${outcome.reason.message}`)
    },
  })
  try {
    const { url } = await switchboard.listen({
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
    })
    switchboard.start({ isForAgents: true })
    log.info('gateway.listen', `listening on ${url}`)
    const auth = switchboard.accessPolicy
    const header = await ensureConnectToken(home, auth)
    const headers = header === undefined ? {} : { headers: { [header.name]: header.value } }
    if (context.isJson) printJson(context, { url: `${url}/mcp`, sse: `${url}/sse`, pid: process.pid, auth, ...headers })
    else {
      const { style } = out
      out.line(`${style.bold('Switchboard')} serves ${style.bold(`${url}/mcp`)}`)
      if (header !== undefined) out.line(`  clients send the header ${style.bold(formatHeader(header))}`)
      if (auth === 'none') err.line(`${err.style.yellow('warning:')} ${OPEN_TO_ALL}`)
      out.line(style.dim(`  every MCP revision; also ${url}/sse and ${url.replace(/^http/, 'ws')}/ws`))
      out.line(
        style.dim(`  servers from ${formatPath(home.configFile, home.userHome)}; changes are applied as you save them`),
      )
      out.line(style.dim('  Ctrl-C stops it'))
    }
    if (!io.signal.aborted) await once(io.signal, 'abort')
    const interruption = readInterruption(io.signal)
    const isAsked = interruption?.kind === 'signal' && interruption.signal !== 'SIGHUP'
    return interruption === undefined || isAsked ? EXIT.ok : exitCodeOfInterruption(interruption)
  } finally {
    await close({ drain })
  }
}

function readPort(text: string | undefined, what: string): number | undefined {
  if (text === undefined || text === '') return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`${what} is "${text}", which is no port. Expected a whole number from 0 to 65535.`, {
    command: 'serve',
  })
}
