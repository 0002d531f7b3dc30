/** What `up` and `restart` say about the daemon that runs now. */
import { readRefusal } from '../backend/daemon-report.ts'
import type { CommandContext } from '../context/command-context.ts'
import type { UpOutcome } from '../daemon-process/start-in-background.ts'
import { formatPath } from '../terminal/format.ts'
import { explainDaemon, formatAddress } from './daemon-lines.ts'

export function toRunningJson({ report, isNew }: UpOutcome): object {
  const { pid, version, epoch, home, config_file, endpoint, http } = report.daemon
  return { ok: true, already_running: !isNew, pid, version, epoch, home, config_file, endpoint, http }
}

export function printRunning({ out, err, home }: CommandContext, { report, isNew }: UpOutcome): void {
  const { pid } = report.daemon
  const { style } = out
  out.line(
    isNew
      ? `${style.green('started')} the daemon (pid ${pid})`
      : `The daemon is already running, pid ${pid}; nothing was started.`,
  )
  for (const line of describe(report, (path) => formatPath(path, home.userHome))) out.line(style.dim(`  ${line}`))
  for (const line of explainDaemon(report)) err.line(`${err.style.yellow('warning:')} ${line}`)
  const refusal = readRefusal(report)
  if (refusal !== undefined) err.line(`${err.style.yellow('warning:')} the configuration is not applied: ${refusal}`)
}

function describe({ daemon, servers }: UpOutcome['report'], shorten: (path: string) => string): string[] {
  const { http } = daemon
  const address = http !== null && 'url' in http ? [`agents connect to ${formatAddress(http.url)}`] : []
  const next =
    servers.length === 0
      ? `no servers yet in ${shorten(daemon.config_file)}; next: switchboard server add --help`
      : 'next: switchboard status'
  return [...address, next]
}
