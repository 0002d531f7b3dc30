import type { DashboardOverview } from '@switchboard/daemon/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { toHash, useRoute } from './link/route.ts'
import { type AskFailure, enter, leave, whenLost } from './link/session.ts'
import { toFailure, useAnswer } from './link/use-answer.ts'
import { formatAge } from './parts/format.ts'
import { PageHead } from './parts/page-head.tsx'
import { Answered, Empty, Failure, Loading } from './parts/states.tsx'
import { VIEWS, type ViewProps } from './views/views.tsx'

type Entry = 'entering' | 'in' | 'out' | AskFailure

export function App() {
  const [entry, setEntry] = useState<Entry>('entering')
  useEffect(() => {
    const come = (): void => {
      whenLost(() => setEntry('out'))
      enter().then(
        (isIn) => setEntry(isIn ? 'in' : 'out'),
        (error: unknown) => setEntry(toFailure(error)),
      )
    }
    // A link may also be opened in the tab that is there.
    const look = (): void => {
      if (location.hash.startsWith('#enter=')) come()
    }
    addEventListener('hashchange', look)
    come()
    return () => removeEventListener('hashchange', look)
  }, [])
  if (entry === 'in') return <Inside />
  return (
    <main class="outside">
      <p class="brand">Switchboard</p>
      {entry === 'entering' ? (
        <Loading />
      ) : entry === 'out' ? (
        <Outside />
      ) : (
        <Failure failure={entry} again={() => location.reload()} />
      )}
    </main>
  )
}

function Outside() {
  return (
    <>
      <h1>A new link is needed</h1>
      <p>The link that opens this page is good once, and what it opens ends with the daemon. In a terminal:</p>
      <pre>switchboard dashboard</pre>
      <p class="quiet">Nothing of your servers is shown to anybody without it.</p>
    </>
  )
}

function Inside() {
  const asked = useAnswer<DashboardOverview>('overview', {})
  const route = useRoute()
  // What is listed in the menus of a view is as new as the view.
  useEffect(() => asked.again(), [route.view, route.item])
  const known = useRef<DashboardOverview | undefined>(undefined)
  if (asked.answer.state === 'there') known.current = asked.answer.value
  // A daemon that is away for a moment takes nothing from the page: each view says for itself what it cannot have.
  if (known.current !== undefined) return <Shell overview={known.current} route={route} />
  return <Answered asked={asked} show={() => null} />
}

function Shell({ overview, route }: ViewProps) {
  const views = VIEWS.filter(({ isThere }) => isThere?.(overview) !== false)
  const view = views.find(({ id }) => id === route.view)
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <div class="shell">
        <nav aria-label="Views">
          <p class="brand">Switchboard</p>
          <ul>
            {views.map(({ id, title }) => (
              <li key={id}>
                <a href={toHash(id)} aria-current={id === route.view ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
          <Foot overview={overview} />
        </nav>
        <main id="main" tabIndex={-1}>
          <Notices overview={overview} />
          {view === undefined ? (
            <>
              <PageHead title="Not here" />
              <Empty title={`There is no view "${route.view.slice(0, 40)}"`}>
                <a href={toHash('servers')}>Show the servers</a>
              </Empty>
            </>
          ) : (
            <view.show route={route} overview={overview} />
          )}
        </main>
      </div>
    </>
  )
}

/** A button, for the fragment is the address of the view, and stays so. */
function skip(): void {
  document.querySelector<HTMLElement>('#main')?.focus()
}

function Foot({ overview: { daemon } }: { readonly overview: DashboardOverview }) {
  return (
    <div class="foot">
      <p>
        {daemon.version}, pid {daemon.pid}
      </p>
      <p>up {formatAge(Date.now() - Date.parse(daemon.started_at))}</p>
      <button type="button" class="plain" onClick={() => void leave()}>
        Leave
      </button>
    </div>
  )
}

/** What a person should know, whatever they look at. */
function Notices({ overview: { configuration, daemon } }: { readonly overview: DashboardOverview }) {
  const notices: string[] = []
  if (configuration.state === 'refused') {
    notices.push(`The configuration is not applied, the one before goes on: ${configuration.error.message}`)
  } else notices.push(...(configuration.doubts ?? []))
  if (daemon.http !== null && 'auth' in daemon.http && daemon.http.auth === 'none') {
    notices.push('Every user of this machine may call, and so run programs as you: gateway.auth is none.')
  }
  if (daemon.bugs > 0) notices.push('A bug of Switchboard was met and survived: the log of the daemon has it.')
  return (
    <>
      {notices.map((text) => (
        <p key={text} class="notice">
          {text}
        </p>
      ))}
    </>
  )
}
