/** The merged log of the daemon, its servers and the windows. */
import type { LogAsked } from '@switchboard/daemon/client'
import { useEffect, useState } from 'preact/hooks'
import { replaceRoute, toHash } from '../link/route.ts'
import { useAnswer } from '../link/use-answer.ts'
import { useFeed } from '../link/use-feed.ts'
import { Badge } from '../parts/badge.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../parts/filters.tsx'
import { type ListColumn, ListTable } from '../parts/list-table.tsx'
import { LogData } from '../parts/log-data.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { listServerNames } from '../parts/server-names.ts'
import { Answered, Empty, LiveMark } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import type { ViewProps } from './views.tsx'

const COLUMNS: readonly ListColumn[] = [['Time'], ['Level'], ['Source', 'extra'], ['What']]

interface Line {
  readonly ts: string
  readonly level: string
  readonly cat: string
  readonly source: string
  readonly msg: string
  readonly data?: unknown
  readonly trace_id?: string
}

const MOST_KEPT = 500
/** Somebody who types is not asked for at every letter. */
const TYPING_MS = 300
const LEVELS = [
  ['', 'all'],
  ['info', 'info and worse'],
  ['warn', 'warnings and errors'],
  ['error', 'errors'],
] as const

export function LogsView({ route, overview }: ViewProps) {
  const filters = useSettled(route.query)
  const filter = (name: string) => (value: string) =>
    replaceRoute(toHash('logs', undefined, { ...route.query, [name]: value }))
  const { level = '', source = '', cat = '', text = '' } = route.query
  const known = ['daemon', 'mcp', 'cli', ...listServerNames(overview).map((name) => `server-${name}`)]
  const sources = known.includes(source) || source === '' ? known : [source, ...known]
  const asked = toAsked(filters)
  return (
    <>
      <PageHead title="Logs" />
      <Filters label="Filter the log">
        <TextFilter label="Text" value={text} onChange={filter('text')} />
        <ChoiceFilter label="Level" value={level} onChange={filter('level')} choices={LEVELS} />
        <ChoiceFilter
          label="Source"
          value={source}
          onChange={filter('source')}
          choices={[['', 'all'], ...sources.map((name) => [name, name] as const)]}
        />
        <TextFilter label="Category" value={cat} onChange={filter('cat')} placeholder="pool.restart" />
      </Filters>
      <Lines key={JSON.stringify(asked)} asked={asked} />
    </>
  )
}

function Lines({ asked: wanted }: { readonly asked: LogAsked }) {
  const asked = useAnswer<{ lines: readonly Line[] }>('logs', wanted)
  const [skipped, setSkipped] = useState(0)
  const feed = useFeed(
    { logs: wanted },
    ({ logs, skippedLogs = 0 }) => {
      if (logs === undefined) return
      setSkipped((before) => before + skippedLogs)
      asked.change(({ lines }) => ({ lines: [...lines, ...logs].slice(-MOST_KEPT) }))
    },
    asked.again,
  )
  return (
    <Answered
      asked={asked}
      show={({ lines }) => (
        <>
          <p class="summary">
            {lines.length === 0 ? '' : `${lines.length} lines, the newest first `}
            <LiveMark state={feed} />
          </p>
          {skipped === 0 ? null : <p class="quiet">{skipped} lines came faster than they are shown.</p>}
          {lines.length === 0 ? <Empty title="No lines fit the filters" /> : <LineTable lines={lines} />}
        </>
      )}
    />
  )
}

function LineTable({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ListTable caption="Lines of the log, the newest first" columns={COLUMNS} kind="log">
      {lines.toReversed().map((line, at) => (
        <tr key={`${line.ts}${line.source}${lines.length - at}`} class={`level-${line.level}`}>
          <td class="quiet time">
            <Time iso={line.ts} />
          </td>
          <td>
            <Badge state={line.level} />
          </td>
          <td class="extra quiet">{line.source}</td>
          <td class="message">
            <span class="cat">{line.cat}</span> {line.msg}{' '}
            {line.data === undefined ? null : <LogData data={line.data} />}{' '}
            {line.trace_id === undefined ? null : <a href={toHash('calls', line.trace_id)}>its call</a>}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function toAsked({ level, source, cat, text, instance }: Readonly<Record<string, string>>): LogAsked {
  const entries = Object.entries({ level, source, cat, text, inst: instance })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [key])
  return settled
}
