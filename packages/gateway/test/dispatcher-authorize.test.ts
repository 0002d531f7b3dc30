import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import type { CallReport } from '../src/dispatcher.ts'
import { FakeProvider, resource, tool } from './helpers/fake-provider.ts'
import {
  connectClient,
  createHarness,
  errorOf,
  type HarnessOptions,
  type LegacyClient,
  resultOf,
} from './helpers/gateway-harness.ts'

async function connect(
  providers: FakeProvider[],
  options: HarnessOptions & { profile?: string } = {},
): Promise<LegacyClient> {
  const { profile = 'default', ...rest } = options
  return connectClient(createHarness(providers, rest).gateway, { identity: { profile, transport: 'test' } })
}

const echo = (params: JsonObject): JsonObject => ({ content: [], structuredContent: params })

describe('authorize', () => {
  const refuse = () => {
    throw new SwitchboardError('mode_denied', 'The mode "calm" does not allow it')
  }
  const files = () =>
    new FakeProvider('files', {
      catalog: { tools: [tool('read', { annotations: { readOnlyHint: true } })], resources: [resource('file:///x')] },
      answers: { 'tools/call': echo, 'resources/read': () => ({ contents: [] }) },
    })

  it('is asked with the tool as it is listed, its provider, the arguments and who calls', async () => {
    const asked: unknown[] = []
    const provider = files()
    const { gateway } = createHarness([provider], {
      authorize: ({ tool: { name, annotations }, target, args, identity }) =>
        asked.push({ name, annotations, own: target.own, provider: target.provider, args, identity }),
    })
    const identity = { instance: 'aaaa-000001', workspace: '/w', profile: 'default', transport: 'front' }
    const client = await connectClient(gateway, { identity })
    await resultOf(client.request('tools/call', { name: 'files_read', arguments: { path: 'x' } }))
    const annotations = { readOnlyHint: true }
    expect(asked).toEqual([{ name: 'files_read', annotations, own: 'read', provider, args: { path: 'x' }, identity }])
    expect(provider.requests[0]?.call.caller).toMatchObject({ instance: 'aaaa-000001', workspace: '/w' })
  })

  it('keeps a call from its provider, and the report names its code', async () => {
    const reports: CallReport[] = []
    const provider = files()
    const client = await connect([provider], { authorize: refuse, onCalled: (report) => reports.push(report) })
    const result = await resultOf(client.request('tools/call', { name: 'files_read' }))
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'mode_denied', executed: false }, meta: { provider: 'files' } },
    })
    expect(provider.requests).toEqual([])
    expect(reports).toMatchObject([{ tool: 'files_read', outcome: 'failed', error: { code: 'mode_denied' } }])
  })

  it('comes after known and listed, and before limits', async () => {
    const order: string[] = []
    const client = await connect([files()], {
      profile: 'none',
      profiles: [{ name: 'none', tools: { deny: ['files_*'] } }, { name: 'all' }],
      authorize: () => void order.push('authorize'),
    })
    expect(await errorOf(client.request('tools/call', { name: 'files_raed' }))).toMatchObject({
      data: { error: { code: 'unknown_tool' } },
    })
    expect(await resultOf(client.request('tools/call', { name: 'files_read' }))).toMatchObject({
      structuredContent: { error: { code: 'profile_denied' } },
    })
    expect(order).toEqual([])
    const rate = () => {
      order.push('limits')
      return { perSecond: 1, burst: 1 }
    }
    const bound = await connect([files()], { authorize: refuse, limits: { rate } })
    await resultOf(bound.request('tools/call', { name: 'files_read' }))
    expect(order).toEqual([])
  })

  it('is asked of the tool that tool_call calls, and not of the search', async () => {
    const asked: string[] = []
    const client = await connect([files()], {
      profile: 'find',
      profiles: [{ name: 'find', search: true }],
      authorize: ({ tool: { name } }) => {
        asked.push(name)
        refuse()
      },
    })
    await resultOf(client.request('tools/call', { name: 'tool_search', arguments: { query: 'read' } }))
    const result = await resultOf(
      client.request('tools/call', { name: 'tool_call', arguments: { name: 'files_read', arguments: {} } }),
    )
    expect(result).toMatchObject({ structuredContent: { error: { code: 'mode_denied' } } })
    expect(asked).toEqual(['files_read'])
  })

  it('is not asked of lists and resources', async () => {
    const client = await connect([files()], { authorize: refuse })
    expect((await resultOf(client.request('tools/list'))).tools).toHaveLength(1)
    expect(await resultOf(client.request('resources/read', { uri: 'file:///x' }))).toEqual({ contents: [] })
  })
})
