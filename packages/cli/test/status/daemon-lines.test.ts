import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/program/program-version.ts'
import { describeQueue, formatAddress, renderDaemonHeader, renderInstances } from '../../src/status/daemon-lines.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { textWidth } from '../../src/terminal/text-width.ts'
import { CapturedStream } from '../run-main.ts'
import { createInstance, createReport, NOW } from './daemon-fixtures.ts'

const style = createStyle(new CapturedStream(), { env: {}, noColor: true })
const wide = { style, width: 120, now: NOW }

describe('the daemon in a line', () => {
  test('says who it is, how long it has been up and where agents connect', () => {
    expect(renderDaemonHeader(createReport(), wide)).toEqual([
      `  ● daemon ${VERSION}, pid 4700, up 3m 09s · http://127.0.0.1:19877/mcp`,
    ])
  })

  test('points out another version, and the cure', () => {
    expect(renderDaemonHeader(createReport({ version: '0.0.9' }), wide)).toEqual([
      '  ● daemon 0.0.9, pid 4700, up 3m 09s · http://127.0.0.1:19877/mcp',
      `  this command is ${VERSION}: restart the daemon with switchboard restart`,
    ])
  })

  test('tells a door that is shut, with its cure, and a daemon that is stopping', () => {
    const http = { error: 'The port 19877 on 127.0.0.1 is in use', hint: 'Choose another one.' }
    expect(renderDaemonHeader(createReport({ http, state: 'stopping' }), wide)).toEqual([
      `  ● daemon ${VERSION}, pid 4700, up 3m 09s (stopping)`,
      '  no HTTP: The port 19877 on 127.0.0.1 is in use. Choose another one.',
    ])
  })

  test('names a door that is open to every user of the machine as what it is', () => {
    const http = { url: 'http://127.0.0.1:19877', auth: 'none' } as const
    expect(renderDaemonHeader(createReport({ http }), wide)[1]).toMatch(
      /^ {2}every user of this machine may call, and so run programs as you: gateway\.auth is none/,
    )
  })

  test('never leaves its columns', () => {
    const lines = renderDaemonHeader(createReport({ version: '0.0.9' }), { ...wide, width: 30 })
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(30)
  })

  test.each([
    ['http://127.0.0.1:19877', 'http://127.0.0.1:19877/mcp'],
    ['http://127.0.0.1:19877/', 'http://127.0.0.1:19877/mcp'],
    ['http://127.0.0.1:19877/mcp', 'http://127.0.0.1:19877/mcp'],
  ])('the address of %s is %s', (url, address) => {
    expect(formatAddress(url)).toBe(address)
  })
})

describe('the windows', () => {
  const unnamed = createInstance({ instance: 'u0a1-9c33e1', role: 'command', in_flight: 0, calls: 0 })
  const { client: _client, ...command } = unnamed

  test('are a table with client, profile, calls and age; one that has not named itself is told by its role', () => {
    expect(renderInstances([createInstance(), command], wide)).toEqual([
      '  INSTANCE     CLIENT       PROFILE  MODE  IN FLIGHT  CALLS   SINCE',
      '  tt79-6f854d  claude-code  default  –             1     12  2m 09s',
      '  u0a1-9c33e1  command      default  –             0      0  2m 09s',
    ])
  })

  test('are nothing at all when there are none', () => {
    expect(renderInstances([], wide)).toEqual([])
  })

  test.each([30, 40, 60])('fit %i columns', (width) => {
    const lines = renderInstances([createInstance(), command], { ...wide, width })
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width)
  })

  test('cannot move the cursor by the name that a client gives itself', () => {
    const client = { name: 'evil\x1b[2J\nclient', version: '1' }
    expect(renderInstances([createInstance({ client })], wide).join('')).not.toContain('\x1b')
  })
})

describe('the queue in words', () => {
  const { queue, recent_activity: never } = createReport()

  test.each([
    [{}, {}, undefined],
    [{}, { pending: 2 }, 'index queue: never ran, 2 waiting, 0 running'],
    [{ state: 'idle', items: 120, errors: 2 }, {}, 'index queue: idle, 120 items, 2 errors'],
    [{ state: 'running', items: 1 }, { pending: 3, running: 1 }, 'index queue: running, 1 item, 3 waiting, 1 running'],
    [
      { state: 'failed', items: 4, errors: 4 },
      {},
      'index queue: failed, 4 items, 4 errors; switchboard logs --source daemon --level error shows why',
    ],
  ] as const)('%j %j: %s', (activity, counts, text) => {
    expect(describeQueue({ ...queue, ...counts }, { ...never, ...activity })).toBe(text)
  })

  test('say since when it is idle', () => {
    const activity = { ...never, state: 'idle', idle_since: '2026-01-31T08:03:00.000Z' } as const
    expect(describeQueue(queue, activity)).toMatch(/^index queue: idle since \d\d:\d\d:00, 0 items$/)
  })
})
