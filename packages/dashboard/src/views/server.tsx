/** One server: how it is, how fast, what it wrote last. */
import type { DaemonStatus } from '@switchboard/daemon/client'
import type { ComponentChildren } from 'preact'
import { toHash } from '../link/route.ts'
import { useAnswer } from '../link/use-answer.ts'
import { useFeed } from '../link/use-feed.ts'
import { Badge } from '../parts/badge.tsx'
import { formatAge, formatCount, formatMs } from '../parts/format.ts'
import { Marked } from '../parts/marked.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { LatencyPlot } from '../parts/plot.tsx'
import { isRestartable, RestartButton } from '../parts/restart-button.tsx'
import { Answered, LiveMark } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'
import { TrustSection } from '../parts/trust.tsx'
import { useLatency } from '../parts/use-latency.ts'

type Server = DaemonStatus['servers'][number]
type Fact = [name: string, value: ComponentChildren]

/** `owner`: the window that has it for itself, where each has its own. */
export function ServerView({ name, owner }: { readonly name: string; readonly owner: string | undefined }) {
  const of = owner === undefined ? {} : { owner }
  const asked = useAnswer<{ server: Server }>('server', { name, ...of })
  const latency = useLatency(name)
  const feed = useFeed({ server: name, ...of, latency: name }, ({ server, latency: point }) => {
    if (server !== undefined) asked.change(() => ({ server }))
    latency.add(point)
  })
  return (
    <>
      <p class="back">
        <a href={toHash('servers')}>← All servers</a>
      </p>
      <PageHead title={name}>
        {asked.answer.state === 'there' && isRestartable(asked.answer.value.server) ? (
          <RestartButton server={name} />
        ) : null}
        <LiveMark state={feed} />
      </PageHead>
      <Answered
        asked={asked}
        show={({ server }) => (
          <>
            <Facts server={server} />
            <TrustSection server={name} told={server.trust} />
            <LatencyPlot points={latency.points} of={name} />
            <Stderr server={server} />
          </>
        )}
      />
    </>
  )
}

function Facts({ server }: { readonly server: Server }) {
  const { state, reason, entryProblem, install, transport, era, protocolVersion, pid, uptimeMs, restarts, serverInfo } =
    server
  const facts: Fact[] = [
    ['State', <Badge key="state" state={state} />],
    ...(server.owner === undefined ? [] : [['Of window', <code key="owner">{server.owner}</code>] satisfies Fact]),
    ['Via', transport ?? '–'],
    ['Protocol', [era, protocolVersion].filter((part) => part !== undefined).join(', ') || '–'],
    ['Program', serverInfo === undefined ? '–' : `${serverInfo.name} ${serverInfo.version}`],
    ['Process', pid ?? '–'],
    ['Up', uptimeMs === undefined ? '–' : formatAge(uptimeMs)],
    ['Restarts', restarts],
    ['Under way', `${server.inFlight}${server.queued === 0 ? '' : `, ${server.queued} waiting`}`],
    [
      'Calls',
      <a key="calls" href={toHash('calls', undefined, { server: server.name })}>
        {formatCount(server.calls)}
      </a>,
    ],
    ['Failed', formatCount(server.failures)],
    ['p50 / p95', `${formatMs(server.p50Ms)} / ${formatMs(server.p95Ms)}`],
    [
      'Tools',
      <a key="tools" href={toHash('tools', undefined, { server: server.name })}>
        {server.tools}
      </a>,
    ],
    ['Resources', server.resources],
    ['Prompts', server.prompts],
  ]
  const problems = [
    reason,
    entryProblem,
    server.login === 'wanted' ? `It wants a login: \`switchboard server login ${server.name}\`` : undefined,
    install === undefined ? undefined : `Install it: \`${install}\``,
    ...(server.missing ?? []),
  ]
  return (
    <>
      {problems.map((text) =>
        text === undefined ? null : (
          <p key={text} class="failure">
            <Marked text={text} />
          </p>
        ),
      )}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Stderr({ server: { name, lastStderr } }: { readonly server: Server }) {
  return (
    <section>
      <h2>
        Last lines of stderr{' '}
        <a class="aside" href={toHash('logs', undefined, { source: `server-${name}` })}>
          its whole log
        </a>
      </h2>
      {lastStderr.length === 0 ? (
        <p class="quiet">It has written nothing.</p>
      ) : (
        <TextBlock label={`Last lines of stderr of ${name}`} text={lastStderr.join('\n')} />
      )}
    </section>
  )
}
