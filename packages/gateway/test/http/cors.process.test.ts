import { SwitchboardError } from '@switchboard/protocol/errors'
import {
  callTool,
  createCall,
  type Exchange,
  exchange,
  modern,
  openSession,
  openStream,
} from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { createToolProvider, text } from './support/tool-provider.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const ORIGIN = 'https://agents.example'
const ECHO = createToolProvider({
  echo: ({ text: said }, call) => {
    call.progress?.({ progress: 1 })
    return text(String(said))
  },
})

function grants({ headers }: Pick<Exchange, 'headers'>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')))
}

const preflight = (origin: string, asked = 'content-type, mcp-param-region') => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
})

describe('a page of a configured origin', () => {
  it.each(['/mcp', '/mcp/default', '/sse', '/messages', '/healthz'])('may ask before it sends to %s', async (path) => {
    const { url } = await bench.open([ECHO], { allowedOrigins: [`${ORIGIN}/`] })
    const answer = await exchange(url + path, preflight(ORIGIN))
    expect([answer.status, answer.text, answer.headers.vary]).toEqual([204, '', 'origin'])
    expect(grants(answer)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'content-type, mcp-param-region',
      'access-control-max-age': '600',
    })
  })

  it('is told that this machine may be reached, when its browser asks for that', async () => {
    const { url } = await bench.open([ECHO], { allowedOrigins: [ORIGIN] })
    const asked = preflight(ORIGIN)
    const headers = { ...asked.headers, 'access-control-request-private-network': 'true' }
    expect(grants(await exchange(`${url}/mcp`, { ...asked, headers }))).toMatchObject({
      'access-control-allow-private-network': 'true',
    })
  })

  it('may read answers, their session and their events, in both eras', async () => {
    const { url } = await bench.open([ECHO], { allowedOrigins: [ORIGIN] })
    const headers = await openSession(`${url}/mcp`, { headers: { origin: ORIGIN } })
    const readable = {
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': expect.stringContaining('mcp-session-id'),
    }
    const answer = await exchange(`${url}/mcp`, { headers, body: callTool(1, 'echo', { text: 'hi' }) })
    expect([answer.json.result, grants(answer)]).toEqual([text('hi'), readable])
    const events = await openStream(`${url}/mcp`, { headers, body: callTool(2, 'echo', {}, { progressToken: 1 }) })
    expect([events.headers['content-type'], grants(events)]).toEqual(['text/event-stream', readable])
    await events.waitForMessage(({ id }) => id === 2)
    const listed = modern(createCall(3, 'tools/list'), { headers: { origin: ORIGIN } })
    expect(grants(await exchange(`${url}/mcp`, listed))).toEqual(readable)
    expect(grants(await exchange(`${url}/nowhere`, { method: 'GET', headers: { origin: ORIGIN } }))).toEqual(readable)
  })

  it('reads why it is not let in; the question before is answered without a credential', async () => {
    const error = new SwitchboardError('unauthorized', 'No token')
    const authenticate = () => ({ ok: false, status: 401, error, headers: { 'www-authenticate': 'Bearer' } }) as const
    const { url } = await bench.open([ECHO], { allowedOrigins: [ORIGIN], authenticate })
    expect((await exchange(`${url}/mcp`, preflight(ORIGIN))).status).toBe(204)
    const refused = await exchange(`${url}/mcp`, modern(createCall(1, 'tools/list'), { headers: { origin: ORIGIN } }))
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, ORIGIN])
  })

  it('is one of them from the next request on when the configuration changes, and no longer when it changes back', async () => {
    const { url, http } = await bench.open([ECHO])
    const status = async () => (await exchange(`${url}/mcp`, preflight(ORIGIN))).status
    const rest = {
      maxBodyBytes: 4_096,
      sessionIdleTtl: 60_000,
      resumeGrace: 10_000,
      allowedHosts: [],
      authenticate: undefined,
      extraRoutes: undefined,
    }
    expect(await status()).toBe(403)
    http.reconfigure({ ...rest, allowedOrigins: [ORIGIN] })
    expect(await status()).toBe(204)
    http.reconfigure({ ...rest, allowedOrigins: [] })
    expect(await status()).toBe(403)
  })
})

describe('any other page', () => {
  it.each([
    ['https://evil.example', 403],
    [`${ORIGIN}.evil.example`, 403],
    ['null', 403],
    ['http://localhost:5173', 405],
  ])('of %s is granted nothing', async (origin, status) => {
    const { url } = await bench.open([ECHO], { allowedOrigins: [ORIGIN] })
    const asked = await exchange(`${url}/mcp`, preflight(origin))
    expect([asked.status, grants(asked)]).toEqual([status, {}])
    expect(grants(await exchange(`${url}/mcp`, modern(createCall(1, 'tools/list'), { headers: { origin } })))).toEqual(
      {},
    )
  })
})
