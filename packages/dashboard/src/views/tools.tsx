/** Every tool with what it costs a model to have it listed. */
import type { HeldToolRow, ToolRow } from '@switchboard/daemon/client'
import { replaceRoute, toHash } from '../link/route.ts'
import { useAnswer } from '../link/use-answer.ts'
import { useFeed } from '../link/use-feed.ts'
import { ChoiceFilter, Filters, TextFilter } from '../parts/filters.tsx'
import { formatTokens } from '../parts/format.ts'
import { type ListColumn, ListTable } from '../parts/list-table.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { listProviderChoices } from '../parts/server-names.ts'
import { Answered, Empty, LiveMark } from '../parts/states.tsx'
import { ToolView } from './tool.tsx'
import type { ViewProps } from './views.tsx'

const COLUMNS: readonly ListColumn[] = [['Tool'], ['Server', 'extra'], ['Tokens', 'number'], ['What it does', 'extra']]

const MOST_SHOWN = 300
const MOST_HELD = 5
const ORDERS = [
  ['', 'server'],
  ['tokens', 'token cost'],
  ['name', 'name'],
] as const

export function ToolsView(props: ViewProps) {
  const { item } = props.route
  return item === undefined ? <ToolList {...props} /> : <ToolView key={item} name={item} />
}

function ToolList({ route, overview }: ViewProps) {
  const asked = useAnswer<{ tools: readonly ToolRow[]; held: readonly HeldToolRow[] }>('tools', {})
  const feed = useFeed({ tools: true }, ({ toolsChanged }) => toolsChanged === true && asked.again(), asked.again)
  const { text = '', server = '', order = '' } = route.query
  const filter = (name: string) => (value: string) =>
    replaceRoute(toHash('tools', undefined, { ...route.query, [name]: value }))
  return (
    <>
      <PageHead title="Tools">
        <LiveMark state={feed} />
      </PageHead>
      <Filters label="Filter tools">
        <TextFilter label="Name or description" value={text} onChange={filter('text')} />
        <ChoiceFilter
          label="Server"
          value={server}
          onChange={filter('server')}
          choices={listProviderChoices(overview)}
        />
        <ChoiceFilter label="Order" value={order} onChange={filter('order')} choices={ORDERS} />
      </Filters>
      <Answered
        asked={asked}
        show={({ tools, held }) => {
          const kept = <HeldTools held={held.filter((tool) => server === '' || tool.server === server)} />
          const wanted = sort(
            tools.filter((tool) => isWanted(tool, text, server)),
            order,
          )
          const tokens = wanted.reduce((sum, tool) => sum + tool.tokens, 0)
          if (tools.length === 0)
            return (
              <>
                {kept}
                <Empty title="No tools are known">Those of a server show up once it has been up.</Empty>
              </>
            )
          if (wanted.length === 0)
            return (
              <>
                {kept}
                <Empty title={`None of the ${tools.length} tools fits the filters`} />
              </>
            )
          return (
            <>
              {kept}
              <p class="summary">
                {wanted.length} tools, about {formatTokens(tokens)} tokens when all of them are listed
              </p>
              <ToolTable tools={wanted.slice(0, MOST_SHOWN)} most={Math.max(...wanted.map((tool) => tool.tokens))} />
              {wanted.length > MOST_SHOWN ? (
                <p class="quiet">The first {MOST_SHOWN}; use the filters for the rest.</p>
              ) : null}
            </>
          )
        }}
      />
    </>
  )
}

/** In no list, so that nobody looks for them in vain. */
function HeldTools({ held }: { readonly held: readonly HeldToolRow[] }) {
  if (held.length === 0) return null
  const byServer = [...Map.groupBy(held, ({ server }) => server)]
  return (
    <>
      {byServer.map(([server, tools]) => (
        <p key={server} class="notice">
          Held back:{' '}
          {tools
            .slice(0, MOST_HELD)
            .map(({ name }) => name)
            .join(', ')}
          {tools.length > MOST_HELD ? ` and ${tools.length - MOST_HELD} more` : ''}.{' '}
          <a href={toHash('servers', server)}>See what changed in {server}</a>
        </p>
      ))}
    </>
  )
}

function ToolTable({ tools, most }: { readonly tools: readonly ToolRow[]; readonly most: number }) {
  return (
    <ListTable caption="Tools and what listing them costs" columns={COLUMNS}>
      {tools.map(({ name, server, tokens, description, stale }) => (
        <tr key={name}>
          <th scope="row">
            <a href={toHash('tools', name)}>{name}</a>
            {stale ? <p class="note">its server is not up</p> : null}
          </th>
          <td class="extra quiet">{server}</td>
          <td class="number">
            <span class="cost" style={{ '--share': `${(tokens / most) * 100}%` }}>
              {formatTokens(tokens)}
            </span>
          </td>
          <td class="extra quiet description">{description}</td>
        </tr>
      ))}
    </ListTable>
  )
}

function isWanted({ name, description, server }: ToolRow, text: string, wanted: string): boolean {
  if (wanted !== '' && server !== wanted) return false
  return `${name} ${description}`.toLowerCase().includes(text.toLowerCase())
}

function sort(tools: readonly ToolRow[], order: string): ToolRow[] {
  if (order === 'tokens') return tools.toSorted((a, b) => b.tokens - a.tokens)
  return order === 'name' ? tools.toSorted((a, b) => a.name.localeCompare(b.name)) : [...tools]
}
