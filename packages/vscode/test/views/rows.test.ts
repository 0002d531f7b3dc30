import type { BridgeHostState } from '@switchboard/bridge'
import { describe, expect, test } from 'vitest'
import type { LinkState } from '../../src/daemon/daemon-link.ts'
import { createCallRows } from '../../src/views/call-rows.ts'
import { describeStatus } from '../../src/views/describe-status.ts'
import { formatTime } from '../../src/views/format-time.ts'
import { createLogRows, formatLine } from '../../src/views/log-rows.ts'
import { createServerRows } from '../../src/views/server-rows.ts'
import { createWindowRows } from '../../src/views/window-rows.ts'
import { connected, createServer, FAILED, INSTANCE, MODES } from '../support/look.ts'

function windowRows(link: LinkState, mode?: string) {
  return createWindowRows({ instance: INSTANCE, mode, link, version: '0.1.0' })
}

describe('this window', () => {
  test.each<[string, LinkState, string, string]>([
    ['is starting', { kind: 'connecting' }, 'Daemon is starting', 'daemon-starting'],
    ['was stopped', { kind: 'stopped' }, 'Daemon was stopped', 'daemon-stopped'],
    ['cannot be reached', FAILED, 'Daemon cannot be reached', 'daemon-stopped'],
    ['runs', connected(), 'Daemon runs', 'daemon-running'],
  ])('says that the daemon %s', (_what, link, label, kind) => {
    expect(windowRows(link).find(({ id }) => id === 'daemon')).toMatchObject({ label, kind })
  })

  test('names a daemon of another version, and what to do about it', () => {
    const [, daemon] = windowRows(connected({}, '0.0.9'))
    expect(daemon).toMatchObject({ icon: 'warning', description: '0.0.9, pid 4711, the extension is 0.1.0' })
    expect(daemon?.tooltip).toContain('restart the daemon')
  })

  test('tells of a configuration that is refused', () => {
    const error = {
      code: 'invalid_configuration',
      message: '/home/ada/.switchboard/config.json:3:1: no such key',
      category: 'caller',
    }
    // The report has more members, none of which is shown.
    const status = { configuration: { state: 'refused', error } } as unknown as Parameters<typeof connected>[0]
    const [, daemon] = windowRows(connected(status))
    expect(daemon).toMatchObject({
      label: 'The configuration is refused',
      description: 'config.json:3:1: no such key',
      tooltip: expect.stringContaining('/home/ada/.switchboard/config.json:3:1: no such key'),
      command: { id: 'switchboard.openConfiguration' },
    })
  })

  test('offers every mode but the one that is set, which can be cleared', () => {
    const modes = windowRows(connected({ modes: MODES }), 'review').find(({ id }) => id === 'modes')
    expect(modes).toMatchObject({ label: 'Mode: review', kind: 'mode-set' })
    expect(modes?.children?.map(({ subject, kind }) => [subject, kind])).toEqual([
      ['review', 'mode-chosen'],
      ['work', 'mode'],
    ])
    expect(modes?.children?.[1]?.tooltip).toContain('needs your approval')
    expect(windowRows(connected({ modes: MODES })).at(-1)).toMatchObject({
      label: 'No mode is set',
      kind: 'mode-unset',
    })
    const none = windowRows(connected()).at(-1)
    expect(none).toMatchObject({ label: 'No modes are configured', kind: 'no-modes' })
    // VS Code remembers by the id whether a row is open.
    expect(none?.id).not.toBe(modes?.id)
  })

  test('says that another window of the folder has the bridge, and nothing of one that is its own', () => {
    const owner = { bridgeId: 'extHost-1', instance: 'zzzz-000000', pid: 1, machine: 'here' }
    const rowFor = (bridge: BridgeHostState) =>
      createWindowRows({ instance: INSTANCE, mode: undefined, link: connected(), version: '0.1.0', bridge }).find(
        ({ id }) => id === 'bridge',
      )
    expect(rowFor({ kind: 'owner' })).toBeUndefined()
    expect(rowFor({ kind: 'waiting', owner, reason: '' })).toMatchObject({
      label: 'Editor tools are with another window',
      description: 'zzzz-000000',
    })
    expect(rowFor({ kind: 'waiting', owner: undefined, reason: 'The folder cannot be used: EROFS' })).toMatchObject({
      label: 'No editor tools for agents',
      description: 'The folder cannot be used: EROFS',
    })
  })

  test('says which agent has started its server', () => {
    const front = {
      instance: INSTANCE,
      role: 'front',
      pid: 1,
      version: '0.1.0',
      client: { name: 'Visual Studio Code', version: '1.105.0' },
      attached_at: '2026-01-31T08:00:00.000Z',
      in_flight: 0,
      calls: 1,
    } as const
    expect(windowRows(connected({ instances: [front] }))[0]?.description).toBe('Visual Studio Code, 1 call')
    expect(windowRows(connected())[0]?.description).toBe('no agent yet')
  })
})

describe('servers', () => {
  test('tell how they are, and why they are not up', () => {
    const servers = [
      createServer({ calls: 5, failures: 2 }),
      createServer({ name: 'git', state: 'not_installed', tools: 0, reason: 'the command "uvx" was not found' }),
      createServer({ name: 'off', state: 'disabled', tools: 0 }),
      createServer({ name: 'flaky', state: 'backoff', tools: 0, reason: 'the server exited with code 1' }),
      createServer({ name: 'mail', state: 'auth_required', tools: 0, reason: 'its login has ended' }),
    ]
    expect(createServerRows(connected({ servers })).map(({ description, kind }) => [description, kind])).toEqual([
      ['ready · 3 tools · 5 calls, 2 failed', 'server'],
      ['not installed: the command "uvx" was not found', 'server'],
      ['disabled', 'server-disabled'],
      ['retrying: the server exited with code 1', 'server'],
      ['needs login: its login has ended', 'server'],
    ])
  })

  test('of a newer daemon are drawn whatever their state is called', () => {
    const state = 'hibernating' as unknown as 'ready'
    expect(createServerRows(connected({ servers: [createServer({ state })] }))[0]).toMatchObject({ icon: 'question' })
  })
})

test('the newest call comes first, with its failure, and says whose it is where it is another window', () => {
  const call = {
    ts: '2026-01-31T08:00:01.000Z',
    inst: INSTANCE,
    trace_id: 'a'.repeat(32),
    session: null,
    caller: null,
    tool: 'files_read',
    provider: 'files',
    params_summary: '{path}',
    outcome: 'ok',
    duration_ms: 12.4,
    bytes: 10,
  } as const
  const failed = { ...call, inst: 'zzzz-000000', outcome: 'error', code: 'timeout', trace_id: 'b'.repeat(32) } as const
  const rows = createCallRows([call, failed], INSTANCE)
  const time = formatTime(call.ts)
  expect(time).toMatch(/^\d\d:\d\d:01$/)
  expect(rows.map(({ label, description, subject }) => [label, description, subject])).toEqual([
    ['files_read', `timeout · 12 ms · ${time} · zzzz-000000`, 'b'.repeat(32)],
    ['files_read', `12 ms · ${time}`, 'a'.repeat(32)],
  ])
})

test('a line of the log with a trace leads to it', () => {
  const line = {
    ts: '2026-01-31T08:00:01.000Z',
    level: 'warn',
    cat: 'pool.call',
    inst: INSTANCE,
    msg: 'slow',
    source: 'daemon',
  } as const
  const rows = createLogRows([line, { ...line, trace_id: 'c'.repeat(32), data: { ms: 3 } }])
  expect(rows.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['log-traced', 'c'.repeat(32)],
    ['log', undefined],
  ])
  expect(formatLine(line)).toBe('2026-01-31T08:00:01.000Z [warn] daemon pool.call: slow')
})

test('the status bar shows the mode where there are modes, and warns of what will not come up by itself', () => {
  const look = { instance: INSTANCE, mode: undefined }
  expect(describeStatus({ ...look, link: connected() }).text).toBe('$(plug) Switchboard')
  expect(describeStatus({ ...look, link: connected({ modes: MODES }) }).text).toBe('$(plug) Switchboard: no mode')
  const servers = [createServer(), createServer({ name: 'git', state: 'auth_required' })]
  const warned = describeStatus({ ...look, mode: 'work', link: connected({ modes: MODES, servers }) })
  expect(warned).toMatchObject({ text: '$(warning) Switchboard: work', isWarning: false })
  expect(warned.tooltip).toContain('1 of 2 servers up\ngit: auth required')
  expect(describeStatus({ ...look, link: FAILED }).isWarning).toBe(true)
  expect(describeStatus({ ...look, link: { kind: 'stopped' } }).isWarning).toBe(true)
})
