import type { FeedMessage, LatencyPoint, ServerRow } from '@switchboard/daemon/client'
import { useState } from 'preact/hooks'
import { toHash } from '../link/route.ts'
import { useFeed } from '../link/use-feed.ts'
import { Badge } from '../parts/badge.tsx'
import { formatAge, formatCount, formatMs } from '../parts/format.ts'
import { PageHead } from '../parts/page-head.tsx'
import { LatencyPlot } from '../parts/plot.tsx'
import { RestartButton } from '../parts/restart-button.tsx'
import { Empty, LiveMark } from '../parts/states.tsx'
import { useLatency } from '../parts/use-latency.ts'
import { ServerView } from './server.tsx'
import type { ViewProps } from './views.tsx'

export function ServersView(props: ViewProps) {
  const { item } = props.route
  return item === undefined ? <ServerList {...props} /> : <ServerView key={item} name={item} />
}

function ServerList({ overview }: ViewProps) {
  const [servers, setServers] = useState(overview.servers)
  const latency = useLatency('')
  const feed = useFeed({ servers: true, latency: '' }, (message) => {
    if (message.servers !== undefined || message.names !== undefined) setServers((before) => merge(before, message))
    latency.add(message.latency)
  })
  const counts = Map.groupBy(servers, ({ state }) => state)
  const summary = [...counts].map(([state, some]) => `${some.length} ${state.replaceAll('_', ' ')}`).join(', ')
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
      <table class="list">
        <caption class="unseen">The configured servers</caption>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">State</th>
            <th scope="col" class="extra">
              Via
            </th>
            <th scope="col" class="extra">
              Up
            </th>
            <th scope="col" class="number">
              Restarts
            </th>
            <th scope="col" class="number spare">
              Calls
            </th>
            <th scope="col" class="number extra">
              Failed
            </th>
            <th scope="col" class="number spare">
              p50 / p95
            </th>
            <th scope="col" class="number extra">
              Tools
            </th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <Row key={server.name} server={server} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function Row({ server }: { readonly server: ServerRow }) {
  const { name, state, transport, era, uptimeMs, restarts, inFlight, queued, calls, failures, p50Ms, p95Ms, tools } =
    server
  const busy = inFlight + queued
  return (
    <tr>
      <th scope="row">
        <a href={toHash('servers', name)}>{name}</a>
        {server.reason === undefined ? null : <p class="note">{server.reason}</p>}
        {server.trust === undefined ? null : <p class="note">{server.trust}</p>}
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
      <td class={`number ${restarts > 0 ? 'warned' : ''}`}>{restarts}</td>
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
      <td class="actions">
        <RestartButton server={name} />
      </td>
    </tr>
  )
}

function merge(before: readonly ServerRow[], { servers = [], names }: FeedMessage): ServerRow[] {
  const rows = new Map([...before, ...servers].map((row) => [row.name, row]))
  return (names ?? [...rows.keys()]).flatMap((name) => rows.get(name) ?? [])
}
