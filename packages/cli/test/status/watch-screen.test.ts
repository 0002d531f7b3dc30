import { describe, expect, test } from 'vitest'
import type { BackendServer } from '../../src/backend/backend.ts'
import { VERSION } from '../../src/program/program-version.ts'
import { sortByUrgency } from '../../src/status/server-state.ts'
import { renderStatusTable } from '../../src/status/status-table.ts'
import { renderWatchScreen, type WatchModel } from '../../src/status/watch-screen.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { textWidth } from '../../src/terminal/text-width.ts'
import { CapturedStream } from '../run-main.ts'
import { createInstance, createReport, NOW } from './daemon-fixtures.ts'
import { SERVERS } from './server-fixtures.ts'

const plain = createStyle(new CapturedStream(), { env: {}, noColor: true })
const colored = createStyle(new CapturedStream(), { env: { FORCE_COLOR: '1' }, noColor: false })

const model: WatchModel = {
  servers: SERVERS,
  tools: 61,
  tokens: 5300,
  selected: 1,
  events: [{ time: new Date(2026, 0, 31, 8, 5, 9).getTime(), text: 'everything ready (pid 4711, 16 tools)' }],
  problem: undefined,
  configFile: '~/.switchboard/config.json',
  ending: undefined,
}

describe('the live view', () => {
  test('shows every server, and under each that is not up why and what to do', () => {
    expect(renderWatchScreen(model, plain, { width: 120, height: 40 }).join('\n')).toMatchSnapshot()
  })

  test('fits a terminal of 80 columns', () => {
    expect(renderWatchScreen(model, plain, { width: 80, height: 40 }).join('\n')).toMatchSnapshot()
  })

  test('greets somebody who has no servers with the command that adds one', () => {
    const empty = { ...model, servers: [], tools: 0, tokens: 0, events: [] }
    expect(renderWatchScreen(empty, plain, { width: 100, height: 40 }).join('\n')).toMatchSnapshot()
  })

  test('shows a refused configuration beside the servers that go on', () => {
    const lines = renderWatchScreen({ ...model, problem: 'config.json:4:7: timout: unknown key.' }, plain, {
      width: 100,
      height: 40,
    })
    expect(lines).toContain('  The configuration is not applied (the servers go on with the old one)')
    expect(lines).toContain('  config.json:4:7: timout: unknown key.')
    expect(lines.some((line) => line.includes('everything'))).toBe(true)
  })

  test('of a daemon shows who it is above, and the windows below', () => {
    const daemon = { ...createReport(), instances: [createInstance({ mode: 'review' })] }
    const lines = renderWatchScreen({ ...model, daemon, now: NOW }, plain, { width: 100, height: 40 })
    expect(lines).toContain(`  ● daemon ${VERSION}, pid 4700, up 3m 09s · http://127.0.0.1:19877/mcp`)
    const at = lines.findIndex((line) => line.startsWith('  INSTANCE'))
    expect(lines.slice(at - 1, at + 2)).toEqual([
      '',
      '  INSTANCE     CLIENT       PROFILE  MODE    IN FLIGHT  CALLS   SINCE',
      '  tt79-6f854d  claude-code  default  review          1     12  2m 09s',
    ])
  })

  test('below a first screen says no name again, and takes little room for events', () => {
    const events = Array.from({ length: 9 }, (_, index) => ({ time: NOW, text: `event ${index}` }))
    const [server] = SERVERS
    const small = { ...model, servers: server === undefined ? [] : [server], events }
    const lines = renderWatchScreen({ ...small, headerLines: 14 }, plain, { width: 80, height: 24 })
    expect(lines.join('\n')).not.toContain('Switchboard')
    expect(lines.filter((line) => line.includes('event '))).toHaveLength(3)
    const empty = renderWatchScreen({ ...small, servers: [], headerLines: 14 }, plain, { width: 80, height: 24 })
    expect(empty).toContain('  No servers yet: what you add shows up here at once.')
  })

  describe('of thirty-one servers', () => {
    const [first = SERVERS[0]] = SERVERS
    const many = Array.from({ length: 31 }, (_, index) => ({ ...first, name: `server-${index}` }) as BackendServer)
    const draw = (selected: number, rows = 24) =>
      renderWatchScreen({ ...model, servers: many, selected, events: [] }, plain, { width: 80, height: rows })

    test.each([0, 1, 10, 15, 29, 30])('shows number %i when it is selected, and how many are left out', (selected) => {
      const lines = draw(selected)
      expect(lines.length).toBeLessThan(24)
      expect(lines.filter((line) => line.startsWith('▸ '))).toEqual([expect.stringContaining(`▸ server-${selected} `)])
      const shown = lines.filter((line) => /^[▸ ] server-/.test(line)).length
      const left = lines.flatMap((line) => /[↑↓] (\d+) more/.exec(line)?.[1] ?? []).map(Number)
      expect(shown + left.reduce((sum, count) => sum + count, 0)).toBe(31)
      expect(lines.some((line) => /^ {2}↑ \d/.test(line))).toBe(selected > 8)
      expect(lines.some((line) => /^ {2}↓ \d/.test(line))).toBe(selected < 22)
    })

    test('shows all where there is room', () => {
      expect(draw(0, 50).join('\n')).not.toMatch(/[↑↓] \d+ more/)
    })

    test('with windows shows some of both', () => {
      const daemon = { ...createReport(), instances: Array.from({ length: 12 }, () => createInstance()) }
      const size = { width: 80, height: 24 }
      const lines = renderWatchScreen({ ...model, servers: many, selected: 30, events: [], daemon }, plain, size)
      expect(lines.length).toBeLessThan(24)
      expect(lines.join('\n')).toContain('▸ server-30')
      expect(lines.join('\n')).toContain('INSTANCE')
    })
  })

  test('at 80 columns the whole name of a server stands, and what matters less is left out', () => {
    const name = 'sequential-thinking-server-no-2'
    const servers = SERVERS.map((server, index) => (index === 0 ? { ...server, name } : server))
    const lines = renderWatchScreen({ ...model, servers }, plain, { width: 80, height: 60 })
    expect(lines.join('\n')).toContain(`${name}  ● ready`)
    expect(lines.join('\n')).not.toContain('TOKENS')
  })

  test('those that are not up come first and those that rest last, each kind as it is configured', () => {
    const again = SERVERS.map((server) =>
      server.name === 'database' ? { ...server, state: 'starting' as const } : server,
    )
    expect(sortByUrgency(again).map(({ name }) => name)).toEqual(sortByUrgency(SERVERS).map(({ name }) => name))
    expect(sortByUrgency([...SERVERS].reverse()).slice(-2)).toMatchObject([{ name: 'lens' }, { name: 'memory' }])
    expect(sortByUrgency(SERVERS).map(({ name }) => name)).toEqual([
      'grep',
      'web',
      'database',
      'everything',
      'github',
      'memory',
      'lens',
    ])
  })

  test.each([
    [20, 10],
    [40, 5],
    [63, 12],
    [80, 24],
    [200, 60],
  ])('never draws outside of %i columns and %i rows, in colour or not', (width, height) => {
    for (const style of [plain, colored]) {
      for (const servers of [SERVERS, []]) {
        const daemon = { ...createReport(), instances: [createInstance(), createInstance()] }
        const whole = { ...model, servers, daemon, problem: 'x'.repeat(300) }
        const lines = renderWatchScreen(whole, style, { width, height })
        expect(Math.max(...lines.map(textWidth))).toBeLessThan(Math.max(width, 21))
        if (height >= 24) expect(lines.length).toBeLessThan(height)
      }
    }
  })
})

test('a one-shot table says nothing about a next attempt that will not happen', () => {
  const lines = renderStatusTable(SERVERS, { style: plain, width: 120 })
  expect(lines.join('\n')).not.toContain('next attempt')
  expect(lines.join('\n')).toContain('no such file (2 times)')
})

test('states are told by symbol and word, so that they read without colour', () => {
  const text = renderStatusTable(SERVERS, { style: plain, width: 200 }).join('\n')
  for (const state of ['● ready', '↻ retrying', '✗ not installed', '✗ needs login', '– disabled', '○ idle']) {
    expect(text).toContain(state)
  }
})
