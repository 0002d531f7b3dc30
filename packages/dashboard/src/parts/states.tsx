/** What stands where something is not there: not yet, not at all, or for a reason. */
import type { ComponentChildren } from 'preact'
import type { AskFailure } from '../link/session.ts'
import type { AskedAnswer } from '../link/use-answer.ts'
import type { FeedState } from '../link/use-feed.ts'
import { Marked } from './marked.tsx'

export function Loading() {
  return (
    <output class="loading">
      <span class="spinner" aria-hidden="true" />
      Loading …
    </output>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

export function Failure({ failure, again }: { readonly failure: AskFailure; readonly again?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{failure.message}</strong> <code>{failure.code}</code>
      </p>
      {failure.hint === '' ? null : (
        <p>
          <Marked text={failure.hint} />
        </p>
      )}
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Whatever the daemon has answered, or what stands in its place. */
export function Answered<T>({
  asked,
  show,
}: {
  readonly asked: AskedAnswer<T>
  readonly show: (value: T) => ComponentChildren
}) {
  const { answer, again } = asked
  if (answer.state === 'loading') return <Loading />
  if (answer.state === 'failed') return <Failure failure={answer.failure} again={again} />
  return <>{show(answer.value)}</>
}

const FEED_TEXTS: Readonly<Record<FeedState, string>> = {
  opening: 'connecting',
  live: 'live',
  paused: 'paused',
  broken: 'connection lost, trying again',
}

export function LiveMark({ state }: { readonly state: FeedState }) {
  return (
    <output class={`live live-${state}`}>
      <span class="dot" aria-hidden="true" />
      {FEED_TEXTS[state]}
    </output>
  )
}
