/** What the daemon answers to one question, with everything that may be instead of it. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import { AskFailure, ask } from './session.ts'

export type Answer<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: AskFailure }
  | { readonly state: 'there'; readonly value: T }

export interface AskedAnswer<T> {
  readonly answer: Answer<T>
  /** What was there stays until the new answer is. */
  again(): void
  change(change: (value: T) => T): void
}

export function useAnswer<T extends object>(method: string, params: object): AskedAnswer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  const key = JSON.stringify(params)
  // `turn` is there to ask the same once more.
  useEffect(() => {
    const stop = new AbortController()
    ask<T>(method, JSON.parse(key), stop.signal).then(
      (value) => setAnswer({ state: 'there', value }),
      (error: unknown) => {
        if (!stop.signal.aborted) setAnswer({ state: 'failed', failure: toFailure(error) })
      },
    )
    return () => stop.abort()
  }, [method, key, turn])
  const again = useCallback(() => setTurn((before) => before + 1), [])
  const change = useCallback((how: (value: T) => T) => {
    setAnswer((before) => (before.state === 'there' ? { state: 'there', value: how(before.value) } : before))
  }, [])
  return { answer, again, change }
}

export function toFailure(error: unknown): AskFailure {
  if (error instanceof AskFailure) return error
  return new AskFailure({ code: 'internal', message: String(error), hint: 'Load the page again.' })
}
