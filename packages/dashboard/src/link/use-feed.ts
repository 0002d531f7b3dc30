/** The one stream of the page: opened for what the view shows, closed while nobody sees it, opened again when it breaks. */
import type { FeedMessage, FeedTopics } from '@switchboard/daemon/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { AskFailure, follow } from './session.ts'

export type FeedState = 'opening' | 'live' | 'paused' | 'broken'

const AGAIN_MS = [500, 1_000, 2_000, 5_000]

export function useFeed(
  topics: FeedTopics,
  onMessage: (message: FeedMessage) => unknown,
  onAgain?: () => void,
): FeedState {
  const [state, setState] = useState<FeedState>('opening')
  const latest = useRef({ onMessage, onAgain })
  latest.current = { onMessage, onAgain }
  const key = JSON.stringify(topics)
  useEffect(() => {
    let stop = new AbortController()
    let timer: number | undefined
    let tries = 0
    let hasBroken = false
    const open = async (): Promise<void> => {
      const { signal } = stop
      try {
        for await (const message of follow<FeedMessage>(JSON.parse(key), signal)) {
          if (signal.aborted) return
          tries = 0
          setState('live')
          if (hasBroken) latest.current.onAgain?.()
          hasBroken = false
          latest.current.onMessage(message)
        }
      } catch (error) {
        if (signal.aborted || (error instanceof AskFailure && error.code === 'unauthorized')) return
      }
      if (signal.aborted) return
      hasBroken = true
      setState('broken')
      timer = window.setTimeout(() => void open(), AGAIN_MS[Math.min(tries++, AGAIN_MS.length - 1)])
    }
    const close = (): void => {
      stop.abort()
      window.clearTimeout(timer)
    }
    const onVisibility = (): void => {
      close()
      if (document.hidden) {
        setState('paused')
        return
      }
      stop = new AbortController()
      hasBroken = true
      void open()
    }
    document.addEventListener('visibilitychange', onVisibility)
    if (document.hidden) setState('paused')
    else void open()
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      close()
    }
  }, [key])
  return state
}
