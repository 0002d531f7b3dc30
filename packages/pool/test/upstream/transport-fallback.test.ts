import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import type { RemoteServerConfig, ServerConfig } from '../../src/config/server-config.ts'
import { SHARED_POLICY } from '../../src/supervision/policy.ts'
import { Upstream } from '../../src/upstream/upstream.ts'
import { FakeServer } from '../helpers/fake-server.ts'
import type { FakeTransport } from '../helpers/fake-transport.ts'
import { createEnvironment, createRemoteConfig } from '../helpers/upstream-harness.ts'

/** A server that refuses Streamable HTTP with that status until the test says otherwise. */
function createRemote(config: Partial<RemoteServerConfig> = {}, status = 405) {
  const checked = createRemoteConfig(config)
  const server = new FakeServer({ kind: 'http' })
  const refused: { http: number | undefined; sse: number | undefined } = { http: status, sse: undefined }
  const tried: ServerConfig['type'][] = []
  const { environment, clock, cache } = createEnvironment(() => server, { learned: { era: 'legacy' } })
  const upstream = new Upstream({
    config: checked,
    policy: SHARED_POLICY,
    environment: {
      ...environment,
      createTransport: (_config, as) => {
        tried.push(as)
        const refusal = as === 'http' || as === 'sse' ? refused[as] : undefined
        server.script.on =
          refusal === undefined
            ? {}
            : {
                initialize: (_params, transport: FakeTransport) => {
                  const error = new SwitchboardError('bad_response', `HTTP ${refusal}`, {
                    details: { status: refusal },
                  })
                  transport.simulateRequestFailed(transport.requests('initialize')[0]?.id ?? 'none', error)
                  return undefined
                },
              }
        return server.createTransport()
      },
    },
  })
  return { upstream, tried, refused, clock, cache }
}

describe('a URL that does not say which transport it speaks', () => {
  it.each([400, 404, 405])('is tried as HTTP+SSE when Streamable HTTP is answered with %s', async (status) => {
    const { upstream, tried, clock, cache } = createRemote({}, status)
    upstream.start()
    await clock.advanceAsync(0)
    expect(tried).toEqual(['http', 'sse'])
    expect(upstream.status()).toMatchObject({ state: 'ready', transport: 'sse' })
    expect(cache.learned.transport).toBe('sse')
  })

  it.each([
    ['the status is another', {}, 500],
    ['the type was given', { typeIsExplicit: true }, 405],
  ])('is not tried otherwise when %s', async (_why, config, status) => {
    const { upstream, tried, clock } = createRemote(config, status)
    upstream.start()
    await clock.advanceAsync(0)
    expect(tried).toEqual(['http'])
    expect(upstream.status()).toMatchObject({ state: 'starting', transport: 'http', reason: `HTTP ${status}` })
  })

  it('begins with Streamable HTTP again when neither worked, so that a passing 404 decides nothing', async () => {
    const { upstream, tried, refused, clock, cache } = createRemote({}, 404)
    refused.sse = 404
    upstream.start()
    await clock.advanceAsync(0)
    expect(tried).toEqual(['http', 'sse'])
    refused.http = undefined
    await clock.advanceAsync(100)
    expect(tried).toEqual(['http', 'sse', 'http'])
    expect(upstream.status()).toMatchObject({ state: 'ready', transport: 'http' })
    expect(cache.learned.transport).toBeUndefined()
  })
})
