import { expect, it } from 'vitest'
import type { ServerSummary } from '../../src/services.ts'
import { callTool, FakeModes, openPack } from '../helpers/switchboard-bench.ts'

const UP: ServerSummary = {
  name: 'fx',
  state: 'ready',
  tools: 2,
  restarts: 0,
  inFlight: 1,
  queued: 0,
  era: 'legacy',
  uptimeMs: 5,
}

it('tells of servers, daemon, session and other windows, in the one envelope', async () => {
  const daemon = {
    pid: 7,
    version: '1.2.3',
    epoch: 3,
    endpoint: '/run/x.sock',
    startedAt: '2026-01-02T00:00:00.000Z',
    state: 'running',
  } as const
  const pack = openPack({ servers: () => [UP], daemon: () => daemon, countOtherWindows: () => 2 })
  const caller = {
    era: 'modern',
    capabilities: {},
    instance: 'aaaa-000001',
    profile: 'default',
    workspace: '/w',
  } as const
  const { text, data, meta } = await callTool(pack, 'switchboard_status', {}, { caller })
  expect(text).toBe('Switchboard 1.2.3, daemon pid 7; 2 other windows\nThis session: aaaa-000001\n- fx: ready, 2 tools')
  expect(data).toEqual({
    version: '1.2.3',
    daemon,
    servers: [UP],
    packs: [],
    instance: { id: 'aaaa-000001', profile: 'default', era: 'modern', workspace: '/w' },
    otherWindows: 2,
  })
  expect(meta).toMatchObject({ tool: 'switchboard_status', provider: 'switchboard' })
})

it('says of a server why it is down, without what must not be seen', async () => {
  const reason = 'exited: token=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'
  const down: ServerSummary = { name: 'gh', state: 'failed', tools: 0, restarts: 3, inFlight: 0, queued: 0, reason }
  const { text, data } = await callTool(openPack({ servers: () => [down] }), 'switchboard_status')
  expect(text).toContain('- gh: failed, 0 tools: exited: token=')
  expect(JSON.stringify([text, data])).not.toContain('ghp_0123456789')
})

it('tells the agent what a person has to do where a server wants a login', async () => {
  const wanting: ServerSummary = { ...UP, name: 'box', state: 'auth_required', tools: 0, login: 'wanted' }
  const { text } = await callTool(
    openPack({ servers: () => [wanting, { ...UP, login: 'kept' }] }),
    'switchboard_status',
  )
  expect(text.split('\n').slice(2)).toEqual([
    '- box: auth_required, 0 tools; ask the person to run: switchboard server login box',
    '- fx: ready, 2 tools',
  ])
})

it("leaves out other windows' private servers", async () => {
  const servers = () => [
    { ...UP, name: 'mine', owner: 'aaaa-000001' },
    { ...UP, name: 'theirs', owner: 'bbbb-000002' },
  ]
  const caller = { era: 'legacy', capabilities: {}, instance: 'aaaa-000001' } as const
  const { data } = await callTool(openPack({ servers }), 'switchboard_status', {}, { caller })
  expect(data.servers).toEqual([{ ...UP, name: 'mine' }])
})

it('names a pack that could not be started', async () => {
  const packs = () => [
    { name: 'pack:debug', state: 'ready', tools: 9 },
    { name: 'pack:lens', state: 'failed', tools: 4, reason: 'no room' },
  ]
  const { text, data } = await callTool(openPack({ packs }), 'switchboard_status')
  expect(text.split('\n').slice(2)).toEqual(['No servers are configured.', '- pack:lens: failed, 4 tools: no room'])
  expect(data.packs).toEqual(packs())
})

it('tells the mode where modes are configured: of the window, or what binds callers over HTTP', async () => {
  const modes = new FakeModes()
  const pack = openPack({ modes })
  expect((await callTool(pack, 'switchboard_status')).data.instance).toEqual({ id: null, era: 'legacy' })
  modes.configure({ name: 'talk' })
  expect((await callTool(pack, 'switchboard_status')).data.instance).toMatchObject({ mode: null })
  modes.bound = 'talk'
  expect((await callTool(pack, 'switchboard_status')).text).toContain('This session: over HTTP, mode talk')
})

it("shows of servers and packs what the caller's profile shows, and over HTTP no path of the home", async () => {
  const daemon = {
    pid: 7,
    version: '1.2.3',
    epoch: 3,
    endpoint: '/home/you/.switchboard/run/daemon.sock',
    startedAt: '2026-01-02T00:00:00.000Z',
    state: 'running',
  } as const
  const pack = openPack({
    servers: () => [UP, { ...UP, name: 'secret', state: 'failed', reason: 'spawn /opt/secret/bin ENOENT' }],
    packs: () => [{ name: 'pack:debug', state: 'failed', tools: 9, reason: 'no room' }],
    daemon: () => daemon,
    scopeOf: ({ profile }) => (profile === 'small' ? (name) => name === 'fx' : undefined),
  })
  const caller = { era: 'modern', capabilities: {}, profile: 'small' } as const
  const { text, data } = await callTool(pack, 'switchboard_status', {}, { caller })
  expect(data).toMatchObject({ servers: [{ name: 'fx' }], packs: [], daemon: { pid: 7 } })
  expect(JSON.stringify([text, data])).not.toMatch(/secret|pack:debug|\/home/)
  const whole = await callTool(pack, 'switchboard_status', {}, { caller: { ...caller, profile: 'default' } })
  expect(whole.text).toContain('secret')
})

it('tells what of a server a person has to look at first', async () => {
  const trust = '2 of its definitions are held back: switchboard trust list fx'
  const pack = openPack({ servers: () => [{ ...UP, trust }] })
  const { text, data } = await callTool(pack, 'switchboard_status')
  expect(text).toContain(`- fx: ready, 2 tools; ${trust}`)
  expect(data).toMatchObject({ servers: [{ name: 'fx', trust }] })
})
