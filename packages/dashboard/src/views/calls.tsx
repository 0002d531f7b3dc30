/** The calls as they end, the newest first, and what was before the page was opened. */
import type { CallRow } from '@switchboard/daemon/client'
import { useState } from 'preact/hooks'
import { replaceRoute, toHash } from '../link/route.ts'
import { useAnswer } from '../link/use-answer.ts'
import { useFeed } from '../link/use-feed.ts'
import { Badge } from '../parts/badge.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../parts/filters.tsx'
import { formatMs } from '../parts/format.ts'
import { type ListColumn, ListTable } from '../parts/list-table.tsx'
import { memo } from '../parts/memo.ts'
import { PageHead } from '../parts/page-head.tsx'
import { listProviderChoices } from '../parts/server-names.ts'
import { Answered, Empty, LiveMark } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { CallView } from './call.tsx'
import type { ViewProps } from './views.tsx'

const COLUMNS: readonly ListColumn[] = [
  ['Ended'],
  ['Tool'],
  ['Outcome'],
  ['Took', 'number'],
  ['Server', 'extra'],
  ['Caller', 'extra'],
]

/** Kept for filters. */
const MOST_KEPT = 500
const MOST_FAILED = 200
/** More rows than that nobody reads, and each costs. */
const MOST_SHOWN = 100
/** The trail and the stream note the end of a call each by itself, one right after the other. */
const SAME_MS = 100
const OUTCOMES = [
  ['', 'any'],
  ['ok', 'ok'],
  ['not-ok', 'not ok'],
  ['tool_error', 'tool error'],
  ['error', 'error'],
  ['cancelled', 'cancelled'],
] as const

export function CallsView(props: ViewProps) {
  const { item } = props.route
  return item === undefined ? <CallList {...props} /> : <CallView key={item} id={item} />
}

function CallList({ route, overview }: ViewProps) {
  const asked = useAnswer<{ calls: readonly CallRow[] }>('calls', {})
  const [live, setLive] = useState<readonly CallRow[]>([])
  const [isHeld, setHeld] = useState(false)
  const [missed, setMissed] = useState(0)
  const askAgain = (): void => {
    setLive([])
    asked.again()
  }
  const feed = useFeed(
    isHeld ? {} : { calls: true },
    ({ calls, skippedCalls = 0 }) => {
      if (calls === undefined) return
      setMissed((before) => before + skippedCalls)
      setLive((before) => keep([...calls.toReversed(), ...before]))
    },
    askAgain,
  )
  const toggle = (): void => {
    // What came meanwhile was told to nobody.
    if (isHeld) askAgain()
    setHeld(!isHeld)
  }
  const { text = '', server = '', outcome = '', instance = '' } = route.query
  const filter = (name: string) => (value: string) =>
    replaceRoute(toHash('calls', undefined, { ...route.query, [name]: value }))
  return (
    <>
      <PageHead title="Calls">
        <button type="button" class="small" aria-pressed={isHeld} onClick={toggle}>
          {isHeld ? 'Go on' : 'Hold'}
        </button>
        <LiveMark state={isHeld ? 'paused' : feed} />
      </PageHead>
      <Filters label="Filter calls">
        <TextFilter label="Tool, caller or code" value={text} onChange={filter('text')} />
        <ChoiceFilter
          label="Server"
          value={server}
          onChange={filter('server')}
          choices={listProviderChoices(overview)}
        />
        <ChoiceFilter label="Outcome" value={outcome} onChange={filter('outcome')} choices={OUTCOMES} />
        <TextFilter label="Window" value={instance} onChange={filter('instance')} placeholder="tt79-6f854d" />
      </Filters>
      <Answered
        asked={asked}
        show={({ calls: past }) => {
          const calls = keep([...live, ...withoutTold(past, live)])
          const wanted = calls.filter((call) => isWanted(call, { text, server, outcome, instance }))
          if (calls.length === 0)
            return <Empty title="No call was recorded yet">Calls of every agent show up here as they end.</Empty>
          if (wanted.length === 0) return <Empty title={`None of the last ${calls.length} calls fits the filters`} />
          return (
            <>
              <CallTable calls={wanted.slice(0, MOST_SHOWN)} />
              <p class="quiet">
                {wanted.length > MOST_SHOWN ? `The newest ${MOST_SHOWN} of ${wanted.length}. ` : ''}
                {missed === 0 ? '' : `${missed} more came faster than they are shown; the audit trail has them all.`}
              </p>
            </>
          )
        }}
      />
    </>
  )
}

/** The newest, and longer than those what did not go well: whoever looks for it is not to be too late. */
function keep(calls: readonly CallRow[]): CallRow[] {
  const older = calls.slice(MOST_KEPT).filter(({ outcome }) => outcome !== 'ok')
  return [...calls.slice(0, MOST_KEPT), ...older.slice(0, MOST_FAILED)]
}

/** Without what the stream told as well: a call that ends while the page opens comes both ways. */
function withoutTold(past: readonly CallRow[], live: readonly CallRow[]): CallRow[] {
  const told = Map.groupBy(live, ({ trace_id }) => trace_id)
  return past.filter((call) => {
    const at = Date.parse(call.ts)
    return !told.get(call.trace_id)?.some(({ tool, ts }) => tool === call.tool && at >= Date.parse(ts) - SAME_MS)
  })
}

interface Wanted {
  readonly text: string
  readonly server: string
  readonly outcome: string
  readonly instance: string
}

function isWanted(call: CallRow, { text, server, outcome, instance }: Wanted): boolean {
  if (server !== '' && call.provider !== server) return false
  if (instance !== '' && !call.inst.startsWith(instance)) return false
  if (outcome === 'not-ok' ? call.outcome === 'ok' : outcome !== '' && call.outcome !== outcome) return false
  const words = `${call.tool} ${call.caller ?? ''} ${call.code ?? ''}`.toLowerCase()
  return words.includes(text.toLowerCase())
}

function CallTable({ calls }: { readonly calls: readonly CallRow[] }) {
  return (
    <ListTable caption="The last calls, the newest first" columns={COLUMNS} kind="calls">
      {calls.map((call) => (
        <Row key={`${call.trace_id}${call.ts}${call.tool}`} call={call} />
      ))}
    </ListTable>
  )
}

/** Rows never change once they are there. */
const Row = memo(function Row({ call }: { readonly call: CallRow }) {
  const { ts, trace_id, tool, outcome, code, duration_ms, provider, caller, inst } = call
  return (
    <tr>
      <td class="quiet time">
        <Time iso={ts} />
      </td>
      <th scope="row">
        <a href={toHash('calls', trace_id)}>{tool}</a>
      </th>
      <td>
        <Badge state={outcome} text={code ?? outcome} />
      </td>
      <td class="number">{formatMs(duration_ms)}</td>
      <td class="extra quiet">{provider}</td>
      <td class="extra quiet">{caller ?? inst}</td>
    </tr>
  )
})
