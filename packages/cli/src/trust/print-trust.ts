/** What is trusted of servers, for a person: a line each, and of one of them what changed. */
import type { ServerTrust, WaitingReport } from '@switchboard/daemon/client'
import type { CommandContext } from '../context/command-context.ts'
import { formatAge } from '../memory/memory-rows.ts'
import { formatCount } from '../terminal/format.ts'
import { renderDiff } from '../terminal/render-diff.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { renderTable } from '../terminal/table.ts'

export function printTrustTable({ out }: CommandContext, servers: readonly ServerTrust[]): void {
  const table = renderTable(
    [
      { header: 'SERVER' },
      { header: 'STATE', shrinksTo: 16 },
      { header: 'ACCEPTED', short: 'ACC', align: 'right', priority: 1 },
      { header: 'WAITING', short: 'WAIT', align: 'right' },
      { header: 'KNOWN', align: 'right', priority: 0 },
    ],
    servers.map((trust) => [
      toSafeLine(trust.server),
      describeState(trust),
      String(trust.accepted),
      trust.waiting.length === 0 ? '–' : out.style.yellow(String(trust.waiting.length)),
      trust.since === null ? 'never seen' : formatAge(trust.since),
    ]),
    { width: out.width, style: out.style },
  )
  for (const line of [table.header, ...table.rows]) out.line(line)
}

export function describeState({ isConfigured, policy, since, isRevoked, waiting, remarks }: ServerTrust): string {
  if (!isConfigured) return 'not configured any more'
  if (policy === 'off') return 'not looked at'
  if (isRevoked) return 'taken back'
  if (since === null) return 'not seen yet'
  const held = waiting.filter(({ isHeld }) => isHeld).length
  if (held > 0) return `${held} held back`
  if (waiting.length > 0) return 'to be looked at'
  return remarks.length > 0 ? `accepted, ${formatCount(remarks.length, 'remark')}` : 'accepted'
}

export function printRemarks({ out }: CommandContext, { server, remarks }: ServerTrust): void {
  for (const { name, text } of remarks) {
    out.line(`${out.style.bold(toSafeLine(name === '' ? server : name))}: ${out.style.yellow(toSafeLine(text))}`)
  }
}

/** What waits, each with why, and with what differs where it was asked for. */
export function printWaiting({ out }: CommandContext, waiting: readonly WaitingReport[]): void {
  for (const one of waiting) {
    const { reasons, since, isHeld, diff = [] } = one
    const state = isHeld ? '' : ', shown all the same'
    out.line(
      `${out.style.bold(nameWaiting(one))}: ${toSafeLine(reasons.join(' and '))}${state} (${formatAge(since)} ago)`,
    )
    for (const line of renderDiff(diff, out.style)) out.line(`  ${line}`)
    if (diff.length > 0) out.line()
  }
}

export function nameWaiting({ kind, name }: Pick<WaitingReport, 'kind' | 'name'>): string {
  if (kind === 'instructions') return 'instructions'
  return kind === 'tool' ? toSafeLine(name) : `prompt ${toSafeLine(name)}`
}
