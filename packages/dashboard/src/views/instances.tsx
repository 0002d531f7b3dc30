/** Who is attached: one row for every window. */
import { useState } from 'preact/hooks'
import { toHash } from '../link/route.ts'
import { useFeed } from '../link/use-feed.ts'
import { formatAge, formatCount } from '../parts/format.ts'
import { type ListColumn, ListTable } from '../parts/list-table.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, LiveMark } from '../parts/states.tsx'
import type { ViewProps } from './views.tsx'

const COLUMNS: readonly ListColumn[] = [
  ['Window'],
  ['Client'],
  ['Mode'],
  ['Profile', 'extra'],
  ['Folder', 'extra'],
  ['Since', 'extra'],
  ['Under way', 'number spare'],
  ['Calls', 'number least'],
]

export function InstancesView({ overview }: ViewProps) {
  const [instances, setInstances] = useState(overview.instances)
  const feed = useFeed({ instances: true }, ({ instances: now }) => {
    if (now !== undefined) setInstances(now)
  })
  const { modes } = overview
  return (
    <>
      <PageHead title="Windows">
        <p class="summary">{instances.length} attached</p>
        <LiveMark state={feed} />
      </PageHead>
      {instances.length === 0 ? (
        <Empty title="No window is attached">
          <p>
            A window is one start of <code>switchboard mcp</code> by a client. Clients that connect over HTTP are not
            listed here; their calls are under <a href={toHash('calls')}>Calls</a>.
          </p>
        </Empty>
      ) : (
        <ListTable caption="The windows that are attached" columns={COLUMNS}>
          {instances.map(({ instance, client, role, mode, profile, workspace, attached_at, in_flight, calls }) => (
            <tr key={instance}>
              <th scope="row">
                <a href={toHash('calls', undefined, { instance })}>
                  <code class="once">{instance}</code>
                </a>
              </th>
              <td>{client === undefined ? role : `${client.name} ${client.version}`}</td>
              <td>{mode ?? <span class="quiet">{modes.length === 0 ? 'none configured' : 'not declared'}</span>}</td>
              <td class="extra">{profile ?? 'everything'}</td>
              <td class="extra path">{workspace ?? '–'}</td>
              <td class="extra quiet">{formatAge(Date.now() - Date.parse(attached_at))}</td>
              <td class="number spare">{in_flight}</td>
              <td class="number least">{formatCount(calls)}</td>
            </tr>
          ))}
        </ListTable>
      )}
      {modes.length === 0 ? null : (
        <section>
          <h2>Modes</h2>
          <dl class="facts facts-wide">
            {modes.map(({ name, description }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}
