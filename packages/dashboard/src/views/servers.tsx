import type { FeedMessage, LatencyPoint, ServerRow } from '@switchboard/daemon/client'
import { wordOfState } from '@switchboard/daemon/state-words'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { toHash } from '../link/route.ts'
import { useFeed } from '../link/use-feed.ts'
import { Badge } from '../parts/badge.tsx'
import { formatAge, formatCount, formatMs } from '../parts/format.ts'
import { ACTIONS, type ListColumn, ListTable } from '../parts/list-table.tsx'
import { Marked } from '../parts/marked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { LatencyPlot } from '../parts/plot.tsx'
import { isRestartable, RestartButton } from '../parts/restart-button.tsx'
import { Empty, LiveMark } from '../parts/states.tsx'
import { useLatency } from '../parts/use-latency.ts'
import { ServerView } from './server.tsx'
import type { ViewProps } from './views.tsx'

const COLUMNS: readonly ListColumn[] = [
  ['Server'],
  ['State'],
  ['Via', 'extra'],
  ['Up', 'extra'],
  ['Restarts', 'number least'],
  ['Calls', 'number spare'],
  ['Failed', 'number extra'],
  ['p50 / p95', 'number spare'],
  ['Tools', 'number extra'],
  ACTIONS,
]

export function ServersView(props: ViewProps) {
  const { item, query } = props.route
  if (item === undefined) return <ServerList {...props} />
  return <ServerView key={`${item} ${query.owner}`} name={item} owner={query.owner} />
}

function ServerList({ overview }: ViewProps) {
  const [servers, setServers] = useState(overview.servers)
  const latency = useLatency('')
  const feed = useFeed({ servers: true, latency: '' }, (message) => {
    if (message.servers !== undefined || message.keys !== undefined) setServers((before) => merge(before, message))
    latency.add(message.latency)
  })
  const counts = Map.groupBy(servers, ({ state }) => state)
  const summary = [...counts].map(([state, some]) => `${some.length} ${wordOfState(state)}`).join(', ')
  return (
    <>
      <PageHead title="Servers">
        <p class="summary">{summary}</p>
        <LiveMark state={feed} />
      </PageHead>
      {servers.length === 0 ? (
        <NoServers file={overview.daemon.config_file} />
      ) : (
        <Table servers={servers} points={latency.points} />
      )}
    </>
  )
}

function NoServers({ file }: { readonly file: string }) {
  return (
    <Empty title="No servers are configured yet">
      <p>Add one in a terminal, and it shows up here:</p>
      <pre>switchboard server add everything -- npx -y @modelcontextprotocol/server-everything</pre>
      <p>
        Or put the <code>mcpServers</code> that you have into <code>{file}</code>.
      </p>
    </Empty>
  )
}

function Table({
  servers,
  points,
}: {
  readonly servers: readonly ServerRow[]
  readonly points: readonly LatencyPoint[]
}) {
  return (
    <>
      <LatencyPlot points={points} of="all servers" />
      <ListTable caption="The configured servers" columns={COLUMNS} kind="servers">
        {servers.map((server) => {
          const notes = listNotes(server)
          return (
            <Fragment key={server.key}>
              <Row server={server} />
              {notes.length === 0 ? null : <NoteRow notes={notes} />}
            </Fragment>
          )
        })}
      </ListTable>
    </>
  )
}

/** Why it is not up, what to do, and what waits for a person. */
function listNotes({ name, reason, install, login, trust }: ServerRow): string[] {
  const notes = [
    reason,
    install === undefined ? undefined : `Install it: \`${install}\``,
    login === 'wanted' ? `Log in: \`switchboard server login ${name}\`` : undefined,
    trust,
  ]
  return notes.filter((note) => note !== undefined)
}

function Row({ server }: { readonly server: ServerRow }) {
  const {
    name,
    owner,
    state,
    transport,
    era,
    uptimeMs,
    restarts,
    inFlight,
    queued,
    calls,
    failures,
    p50Ms,
    p95Ms,
    tools,
  } = server
  const busy = inFlight + queued
  return (
    <tr>
      <th scope="row">
        <a href={toHash('servers', name, owner === undefined ? {} : { owner })}>{name}</a>
        {owner === undefined ? null : (
          <p class="note quiet">
            of window <code>{owner}</code>
          </p>
        )}
      </th>
      <td>
        <Badge state={state} />
        {busy === 0 ? null : <span class="busy-count"> {busy} under way</span>}
      </td>
      <td class="extra quiet once">
        {transport ?? '–'}
        {era === undefined ? '' : `, ${era}`}
      </td>
      <td class="extra quiet once">{uptimeMs === undefined ? '–' : formatAge(uptimeMs)}</td>
      <td class={`number least ${restarts > 0 ? 'warned' : ''}`}>{restarts}</td>
      <td class="number spare">{formatCount(calls)}</td>
      <td class={`number extra ${failures > 0 ? 'warned' : ''}`}>{formatCount(failures)}</td>
      <td class="number spare">
        {formatMs(p50Ms)} / {formatMs(p95Ms)}
      </td>
      <td class="number extra">
        <a href={toHash('tools', undefined, { server: name })} aria-label={`${tools} tools of ${name}`}>
          {tools}
        </a>
      </td>
      <td class="actions">{isRestartable(server) ? <RestartButton server={name} /> : null}</td>
    </tr>
  )
}

/** Below it, with room for sentences. */
function NoteRow({ notes }: { readonly notes: readonly string[] }) {
  return (
    <tr class="below">
      <td colSpan={COLUMNS.length}>
        {notes.map((note) => (
          <p key={note} class="note">
            <Marked text={note} />
          </p>
        ))}
      </td>
    </tr>
  )
}

function merge(before: readonly ServerRow[], { servers = [], keys }: FeedMessage): ServerRow[] {
  const rows = new Map([...before, ...servers].map((row) => [row.key, row]))
  return (keys ?? [...rows.keys()]).flatMap((key) => rows.get(key) ?? [])
}
