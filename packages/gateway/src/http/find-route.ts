/** Which endpoint a URL means, and which profile it names. */

export interface HttpRoute {
  readonly endpoint: 'mcp' | 'sse' | 'messages' | 'ws' | 'health' | 'ready' | 'metrics' | 'none'
  readonly path: string
  readonly profile?: string
  readonly query: URLSearchParams
}

const EMPTY_QUERY = new URLSearchParams()
const MCP: HttpRoute = { endpoint: 'mcp', path: '/mcp', query: EMPTY_QUERY }
const PROFILED = /^\/(mcp|sse|ws|readyz|metrics)\/([^/]+)\/?$/

export function findRoute(url: string): HttpRoute {
  if (url === '/mcp') return MCP
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? EMPTY_QUERY : new URLSearchParams(url.slice(mark + 1))
  switch (path) {
    case '/mcp':
    case '/mcp/':
      return { endpoint: 'mcp', path, query }
    case '/sse':
    case '/sse/':
      return { endpoint: 'sse', path, query }
    case '/messages':
      return { endpoint: 'messages', path, query }
    case '/ws':
    case '/ws/':
      return { endpoint: 'ws', path, query }
    case '/healthz':
      return { endpoint: 'health', path, query }
    case '/readyz':
      return { endpoint: 'ready', path, query }
    case '/metrics':
      return { endpoint: 'metrics', path, query }
    default: {
      const match = PROFILED.exec(path)
      const profile = match === null ? undefined : decode(match[2] ?? '')
      if (profile === undefined) return { endpoint: 'none', path, query }
      // The pattern lets no other word through.
      const word = match?.[1] as 'mcp' | 'sse' | 'ws' | 'readyz' | 'metrics'
      return { endpoint: word === 'readyz' ? 'ready' : word, path, profile, query }
    }
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
