import { describe, expect, it } from 'vitest'
import { findRoute } from '../../src/http/find-route.ts'

describe('the route of a URL', () => {
  it.each([
    ['/mcp', 'mcp', undefined],
    ['/mcp/', 'mcp', undefined],
    ['/mcp?x=1', 'mcp', undefined],
    ['/mcp/reader', 'mcp', 'reader'],
    ['/mcp/a%20b', 'mcp', 'a b'],
    ['/sse', 'sse', undefined],
    ['/sse/', 'sse', undefined],
    ['/sse/reader', 'sse', 'reader'],
    ['/ws', 'ws', undefined],
    ['/ws/', 'ws', undefined],
    ['/ws/reader', 'ws', 'reader'],
    ['/messages?sessionId=1', 'messages', undefined],
    ['/healthz', 'health', undefined],
    ['/readyz', 'ready', undefined],
    ['/readyz/small', 'ready', 'small'],
    ['/metrics/small', 'metrics', 'small'],
    ['/metrics', 'metrics', undefined],
  ] as const)('%s is %s with profile %s', (url, endpoint, profile) => {
    const route = findRoute(url)
    expect([route.endpoint, route.profile]).toEqual([endpoint, profile])
  })

  it.each(['/', '', '/mcpx', '/mcp/a/b', '/mcp/%', '//mcp', '/MCP', '/messages/a', '/healthz/x'])(
    '%s is none',
    (url) => {
      expect(findRoute(url).endpoint).toBe('none')
    },
  )

  it('keeps the query', () => {
    expect(findRoute('/messages?sessionId=a%2Bb').query.get('sessionId')).toBe('a+b')
  })
})
