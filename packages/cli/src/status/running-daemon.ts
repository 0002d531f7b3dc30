/** What `up` and `restart` say about the daemon that runs now. */
import { readRefusal } from '../backend/daemon-report.ts'
import type { CommandContext } from '../context/command-context.ts'
import { type ConnectHeader, formatHeader } from '../context/connect-header.ts'
import type { UpOutcome } from '../daemon-process/start-in-background.ts'
import { formatPath } from '../terminal/format.ts'
import { explainDaemon, formatAddress } from './daemon-lines.ts'

export function toRunningJson({ report, isNew, header, dashboard }: UpOutcome): object {
  const { pid, version, epoch, home, config_file: configFile, endpoint, http } = report.daemon
  const headers = header === undefined ? {} : { headers: { [header.name]: header.value } }
  const link = dashboard === undefined ? {} : { dashboard }
  return {
    ok: true,
    alreadyRunning: !isNew,
    pid,
    version,
    epoch,
    home,
    configFile,
    endpoint,
    http,
    ...headers,
    ...link,
  }
}

export function printRunning(
  { out, err, home }: CommandContext,
  { report, isNew, header, dashboard }: UpOutcome,
): void {
  const { pid } = report.daemon
  const { style } = out
  out.line(
    isNew
      ? `${style.green('started')} the daemon (pid ${pid})`
      : `The daemon is already running, pid ${pid}; nothing was started.`,
  )
  const shorten = (path: string): string => formatPath(path, home.userHome)
  for (const line of describe(report, shorten, header, dashboard)) out.line(style.dim(`  ${line}`))
  for (const line of explainDaemon(report)) err.line(`${err.style.yellow('warning:')} ${line}`)
  const refusal = readRefusal(report)
  if (refusal !== undefined) err.line(`${err.style.yellow('warning:')} the configuration is not applied: ${refusal}`)
}

function describe(
  { daemon, servers }: UpOutcome['report'],
  shorten: (path: string) => string,
  header: ConnectHeader | undefined,
  dashboard: string | undefined,
): string[] {
  const { http } = daemon
  const address = http !== null && 'url' in http ? [`agents connect to ${formatAddress(http.url)}`] : []
  if (header !== undefined) address.push(`with the header ${formatHeader(header)}`)
  if (dashboard !== undefined) address.push(`dashboard, once: ${dashboard}`)
  const next =
    servers.length === 0
      ? `no servers yet in ${shorten(daemon.config_file)}; next: switchboard server add --help`
      : 'next: switchboard status'
  return [...address, next]
}
