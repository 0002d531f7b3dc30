/** The calls as they end, the newest first, and what was before the page was opened. */
import type { CallRow } from '@switchboard/daemon/client'
import { useState } from 'preact/hooks'
import { replaceRoute, toHash } from '../link/route.ts'
import { useAnswer } from '../link/use-answer.ts'
import { useFeed } from '../link/use-feed.ts'
import { Badge } from '../parts/badge.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../parts/filters.tsx'
import { formatMs } from '../parts/format.ts'
import { memo } from '../parts/memo.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Answered, Empty, LiveMark } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { CallView } from './call.tsx'
import type { ViewProps } from './views.tsx'

/** Kept for filters. */
const MOST_KEPT = 500
/** More rows than that nobody reads, and each costs. */
const MOST_SHOWN = 100
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
  const [isHeld, setHeld] = useState(false)
  const [missed, setMissed] = useState(0)
  const feed = useFeed(
    isHeld ? {} : { calls: true },
    ({ calls, skippedCalls = 0 }) => {
      if (calls === undefined) return
      setMissed((before) => before + skippedCalls)
      asked.change((before) => ({ calls: [...calls.toReversed(), ...before.calls].slice(0, MOST_KEPT) }))
    },
    asked.again,
  )
  const { text = '', server = '', outcome = '', instance = '' } = route.query
  const filter = (name: string) => (value: string) =>
    replaceRoute(toHash('calls', undefined, { ...route.query, [name]: value }))
  const servers = [...overview.servers, ...(overview.packs ?? [])].map(({ name }) => [name, name] as const)
  return (
    <>
      <PageHead title="Calls">
        <button type="button" class="small" aria-pressed={isHeld} onClick={() => setHeld(!isHeld)}>
          {isHeld ? 'Go on' : 'Hold'}
        </button>
        <LiveMark state={feed} />
      </PageHead>
      <Filters label="Filter calls">
        <TextFilter label="Tool, caller or code" value={text} onChange={filter('text')} />
        <ChoiceFilter label="Server" value={server} onChange={filter('server')} choices={[['', 'all'], ...servers]} />
        <ChoiceFilter label="Outcome" value={outcome} onChange={filter('outcome')} choices={OUTCOMES} />
        <TextFilter label="Window" value={instance} onChange={filter('instance')} placeholder="tt79-6f854d" />
      </Filters>
      <Answered
        asked={asked}
        show={({ calls }) => {
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
    <table class="list calls">
      <caption class="unseen">The last calls, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Ended</th>
          <th scope="col">Tool</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="number">
            Took
          </th>
          <th scope="col" class="extra">
            Server
          </th>
          <th scope="col" class="extra">
            Caller
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <Row key={`${call.trace_id}${call.ts}${call.tool}`} call={call} />
        ))}
      </tbody>
    </table>
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
