/** One call's whole way: what it was, how it ended, and every step with its time. */
import type { DashboardTrace } from '@switchboard/daemon/client'
import { toHash } from '../link/route.ts'
import { useAnswer } from '../link/use-answer.ts'
import { Badge } from '../parts/badge.tsx'
import { formatBytes, formatDate, formatMs } from '../parts/format.ts'
import { type ListColumn, ListTable } from '../parts/list-table.tsx'
import { LogData } from '../parts/log-data.tsx'
import { Marked } from '../parts/marked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Answered } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'

const COLUMNS: readonly ListColumn[] = [['After', 'number'], ['Told by'], ['What']]

type Call = DashboardTrace['calls'][number]

export function CallView({ id }: { readonly id: string }) {
  const asked = useAnswer<{ trace: DashboardTrace }>('trace', { id })
  return (
    <>
      <p class="back">
        <a href={toHash('calls')}>← All calls</a>
      </p>
      <PageHead title="One call" />
      <Answered
        asked={asked}
        show={({ trace }) => (
          <>
            {trace.explanation === undefined ? null : <Explanation {...trace.explanation} />}
            {trace.calls.map((call) => (
              <Summary key={call.ts} call={call} />
            ))}
            {trace.calls.map((call) => (
              <Hops key={call.ts} call={call} />
            ))}
            <Steps trace={trace} />
          </>
        )}
      />
    </>
  )
}

function Summary({ call }: { readonly call: Call }) {
  const { tool, provider, outcome, code, duration_ms, bytes, caller, inst, ts, params_summary, trace_id } = call
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Tool</dt>
          <dd>
            <a href={toHash('tools', tool)}>{tool}</a>
          </dd>
        </div>
        <div>
          <dt>Server</dt>
          <dd>{provider}</dd>
        </div>
        <div>
          <dt>Outcome</dt>
          <dd>
            <Badge state={outcome} text={code ?? outcome} />
          </dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd>{formatMs(duration_ms)}</dd>
        </div>
        <div>
          <dt>Returned</dt>
          <dd>{formatBytes(bytes)}</dd>
        </div>
        <div>
          <dt>Caller</dt>
          <dd>
            {caller ?? 'unnamed'} <code>{inst}</code>
          </dd>
        </div>
        <div>
          <dt>Ended</dt>
          <dd>{formatDate(ts, 'medium')}</dd>
        </div>
        <div class="wide">
          <dt>Trace</dt>
          <dd>
            <code>{trace_id}</code>
          </dd>
        </div>
      </dl>
      <section>
        <h2>Arguments</h2>
        {params_summary === '' ? <p class="quiet">None.</p> : <TextBlock label="Arguments" text={params_summary} />}
      </section>
    </>
  )
}

function Explanation({ code, when, hint }: NonNullable<DashboardTrace['explanation']>) {
  return (
    <div class="failure">
      <p>
        <strong>{when}</strong> <code>{code}</code>
      </p>
      <p>
        <Marked text={hint} />
      </p>
    </div>
  )
}

/** Where the time of a call went, as far as it came. */
function Hops({ call }: { readonly call: Call }) {
  const { duration_ms: end, queued_ms, sent_ms, answered_ms, provider } = call
  const marks: [name: string, from: number, to: number][] = []
  const sent = sent_ms ?? end
  if (queued_ms === undefined) marks.push(['gateway', 0, sent])
  else marks.push(['gateway', 0, queued_ms], [`waiting for ${provider}`, queued_ms, sent])
  if (sent_ms !== undefined) marks.push([provider, sent_ms, answered_ms ?? end])
  if (answered_ms !== undefined) marks.push(['back', answered_ms, end])
  const whole = Math.max(1, end)
  return (
    <section>
      <h2>Where the time went</h2>
      <ol class="hops">
        {marks.map(([name, from, to]) => (
          <li key={name}>
            <span class="hop-name">{name}</span>
            <span class="hop-track" aria-hidden="true">
              <span
                class="hop-bar"
                style={{ left: `${(from / whole) * 100}%`, width: `${((to - from) / whole) * 100}%` }}
              />
            </span>
            <span class="hop-time">{formatMs(to - from)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Steps({ trace: { steps } }: { readonly trace: DashboardTrace }) {
  const isBare = steps.every(({ source }) => source === 'audit')
  return (
    <section>
      <h2>Its way</h2>
      <ListTable caption="The steps of the call in their order" columns={COLUMNS} kind="steps">
        {steps.map(({ ts, offset_ms, source, level, cat, msg, data }, at) => (
          <tr key={`${ts}${at}`} class={`level-${level}`}>
            <td class="number">{offset_ms} ms</td>
            <td class="quiet">
              {source}
              {cat === source ? '' : ` · ${cat}`}
            </td>
            <td class="message">
              {msg} {data === undefined ? null : <LogData data={data} />}
            </td>
          </tr>
        ))}
      </ListTable>
      {isBare ? (
        <p class="quiet">
          More of a call’s way is logged at the level debug: start the daemon with{' '}
          <code>SWITCHBOARD_LOG_LEVEL=debug</code>.
        </p>
      ) : null}
    </section>
  )
}
