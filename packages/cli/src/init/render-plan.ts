/** What `init` would do, for a person and for programs. No secret is shown: of environments and headers the names only. */
import { diffLines } from '@switchboard/base'
import { maskList } from '../clients/list/mask-list.ts'
import { describeServer } from '../config/mask-server.ts'
import type { StaticEntry } from '../doctor/static/static-entry.ts'
import { formatCount } from '../terminal/format.ts'
import { renderDiff } from '../terminal/render-diff.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { padText, textWidth } from '../terminal/text-width.ts'
import type { ChosenServer } from './choose-servers.ts'
import type { FileChange } from './file-change.ts'
import type { InitPlan, PlannedClient } from './plan-init.ts'

export interface RenderOptions {
  readonly style: Style
  /** Of a path, for a person. */
  readonly shorten: (path: string) => string
}

export function renderPlan(plan: InitPlan, options: RenderOptions): string[] {
  return [
    ...renderClients(plan.clients, options),
    ...renderServers(plan, options),
    ...renderLeft(plan, options),
    ...plan.changes
      .filter(({ added, removed }) => added.length + removed.length > 0)
      .flatMap((change) => renderChange(change, options)),
  ]
}

function renderClients(clients: readonly PlannedClient[], { style }: RenderOptions): string[] {
  const widest = Math.max(0, ...clients.map(({ name }) => textWidth(name)))
  const ways = {
    entry: 'gets one entry that starts Switchboard',
    extension: 'has the extension, which registers Switchboard by itself: no entry is written',
    connected: 'is connected already',
    none: '',
  }
  const lines = clients.map(({ name, way, note = '' }) => {
    const text = [ways[way], note].filter((part) => part !== '').join('; ')
    return `  ${padText(name, widest)}  ${way === 'none' ? style.yellow(toSafeLine(text)) : toSafeLine(text)}`
  })
  return [style.bold('Clients'), ...lines, '']
}

function renderServers({ servers, variables }: InitPlan, { style }: RenderOptions): string[] {
  if (servers.length === 0) return []
  const widest = Math.max(...servers.map(({ name }) => textWidth(name)))
  const lines = servers.flatMap((server) => [
    `  ${style.cyan(padText(server.name, widest))}  ${toSafeLine(describeServer(server.input))}`,
    ...describeOrigin(server).map((line) => style.dim(`  ${' '.repeat(widest)}  ${line}`)),
  ])
  const secrets = variables.map(
    ({ variable, server, key }) =>
      `  ${style.yellow('!')} ${server}: ${key} comes from \${${variable}}: set it where Switchboard is started`,
  )
  return [style.bold(`Servers that Switchboard takes over (${servers.length})`), ...lines, ...secrets, '']
}

function describeOrigin({ name, from, isNew, namedApartFrom, dropped, ruledApart }: ChosenServer): string[] {
  const clients = [...new Set(from.map(describePlace))].join(', ')
  return [
    `from ${clients}${isNew ? '' : '; it is configured here already'}`,
    ...(namedApartFrom === undefined
      ? []
      : [`called "${toSafeLine(namedApartFrom)}" there: another server has that name`]),
    ...(dropped.length === 0 ? [] : [`without ${dropped.map(toSafeLine).join(', ')}, of which only its client knows`]),
    ...(ruledApart === undefined
      ? []
      : [
          `${ruledApart.join(', ')} had other rules for its tools, which are left out: switchboard server edit ${name}`,
        ]),
  ]
}

function describePlace({ clientName, project }: StaticEntry): string {
  return toSafeLine(project === undefined ? clientName : `${clientName} (project ${project})`)
}

function renderLeft({ left, unreadable, waiting }: InitPlan, { style, shorten }: RenderOptions): string[] {
  const projects = [...new Set(waiting.map(({ file }) => shorten(file)))].join(', ')
  const lines = [
    ...left.map(({ entry, reason }) => `  ${toSafeLine(entry.name)} of ${describePlace(entry)}: ${toSafeLine(reason)}`),
    ...unreadable.map(({ file, problem }) => `  ${shorten(file)} is not understood: ${toSafeLine(problem)}`),
    ...(waiting.length === 0
      ? []
      : [
          `  ${formatCount(waiting.length, 'server')} of this project (${projects}): --projects takes them too, for every window`,
        ]),
  ]
  return lines.length === 0 ? [] : [style.bold('What stays where it is'), ...lines, '']
}

function renderChange(change: FileChange, { style, shorten }: RenderOptions): string[] {
  const { file, target, before } = change
  const via = target === file || before === undefined ? '' : ` (a link to ${shorten(target)})`
  const title = `${before === undefined ? 'new file' : 'change'} ${shorten(file)}${via}`
  return [style.bold(title), ...renderDiff(diffOf(change), style), '']
}

function diffOf({ before, after, format }: FileChange): ReturnType<typeof diffLines> {
  const text = before?.toString('utf8') ?? ''
  const masked = text.trim().replace(/^\uFEFF/, '') === '' ? '' : maskList(text, format)
  return diffLines(masked, maskList(after, format))
}

export function toPlanJson(plan: InitPlan): object {
  const place = ({ client, file, path, project }: StaticEntry): object => ({
    client,
    file,
    path,
    ...(project === undefined ? {} : { project }),
  })
  return {
    clients: plan.clients,
    servers: plan.servers.map(({ name, input, from, isNew, namedApartFrom, dropped, ruledApart }) => ({
      name,
      runs: describeServer(input),
      new: isNew,
      from: from.map(place),
      ...(namedApartFrom === undefined ? {} : { namedApartFrom }),
      ...(dropped.length === 0 ? {} : { dropped }),
      ...(ruledApart === undefined ? {} : { ruledApart }),
    })),
    left: plan.left.map(({ entry, reason }) => ({ name: entry.name, ...place(entry), reason })),
    unreadable: plan.unreadable,
    waiting: plan.waiting.map((entry) => ({ name: entry.name, ...place(entry) })),
    variables: plan.variables,
    files: plan.changes.map((change) => ({
      file: change.file,
      action: change.before === undefined ? 'create' : 'change',
      diff: diffOf(change).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+', gap: '…' }[kind]}${text}`),
    })),
  }
}
