/** Where the page is, in the fragment: `#/calls/<id>?outcome=error`. A link leads to a view, and its filters with it. */
import { useEffect, useState } from 'preact/hooks'

export interface PageRoute {
  readonly view: string
  /** What of the view is opened. */
  readonly item: string | undefined
  readonly query: Readonly<Record<string, string>>
}

function parseRoute(hash: string): PageRoute {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...rest] = path.split('/')
  const item = rest.join('/')
  return {
    view: view === '' ? 'servers' : view,
    item: item === '' ? undefined : decode(item),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

export function toHash(view: string, item?: string, query: Readonly<Record<string, string>> = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '')
  const text = filled.length === 0 ? '' : `?${new URLSearchParams(filled)}`
  return `#/${view}${item === undefined ? '' : `/${encodeURIComponent(item)}`}${text}`
}

export function useRoute(): PageRoute {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const look = (): void => setHash(location.hash)
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  return parseRoute(hash)
}

/** A filter is no step back: the address changes in its place. */
export function replaceRoute(hash: string): void {
  history.replaceState(null, '', hash)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
