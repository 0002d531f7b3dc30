import { createRouteMap, MAX_EXPOSED_NAME, type NamedProvider, sanitizeName } from '@switchboard/protocol/naming'
import { describe, expect, it } from 'vitest'

const HASHED = /_[0-9a-f]{8}$/

describe('sanitizeName', () => {
  it.each([
    ['read-file_2', 'read-file_2'],
    ['a.b/c d', 'a_b_c_d'],
    ['größe', 'gr__e'],
    ['👩x', '_x'],
    ['', ''],
  ])('turns %j into %j', (text, expected) => {
    expect(sanitizeName(text)).toBe(expected)
  })
})

describe('an exposed name', () => {
  it("is the provider's name, an underscore and the tool's name", () => {
    expect(createRouteMap([{ name: 'web', tools: ['fetch'] }]).names()).toEqual(['web_fetch'])
  })

  it('has the prefix of the configuration in place of the name', () => {
    expect(createRouteMap([{ name: 'web', prefix: 'my web', tools: ['fetch'] }]).names()).toEqual(['my_web_fetch'])
  })

  it.each([false, ''] as const)('is the own name, unchanged, for prefix %j', (prefix) => {
    const tools = ['fetch', 'a.b/c', 'x'.repeat(100), 'report_20240101', 'Grüße']
    expect(createRouteMap([{ name: 'web', prefix, tools }]).names()).toEqual(tools)
  })

  it('is made of the new name of a renamed tool, and routes to its own', () => {
    const map = createRouteMap([{ name: 'web', tools: ['fetch'], rename: { fetch: 'get page' } }])
    expect(map.toRoute('web_get_page')).toEqual({ provider: 'web', own: 'fetch' })
    expect(map.toExposed('web', 'fetch')).toBe('web_get_page')
  })

  it('is not taken from what every object inherits', () => {
    const map = createRouteMap([{ name: 'web', tools: ['constructor', 'toString'], rename: {} }])
    expect(map.names()).toEqual(['web_constructor', 'web_toString'])
    expect(map.toExposed('constructor', 'constructor')).toBeUndefined()
  })

  it('routes back to the very text of a sanitised name', () => {
    const map = createRouteMap([{ name: 'web', tools: ['page.größe/👩'] }])
    expect(map.toRoute('web_page_gr__e__')).toEqual({ provider: 'web', own: 'page.größe/👩' })
  })

  it('is cut to 64 characters with a hash, so that names which differ in the cut part stay apart', () => {
    const long = 'x'.repeat(300)
    const map = createRouteMap([{ name: 'web', tools: [`${long}1`, `${long}2`] }])
    const names = map.names()
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^web_x{51}_[0-9a-f]{8}$/)
  })

  it('may be exactly 64 characters long without a change', () => {
    const own = 'x'.repeat(MAX_EXPOSED_NAME - 'web_'.length)
    expect(createRouteMap([{ name: 'web', tools: [own] }]).names()).toEqual([`web_${own}`])
  })

  it('is never empty', () => {
    expect(createRouteMap([{ name: 'web', prefix: false, tools: [''] }]).names()[0]).toMatch(HASHED)
    expect(createRouteMap([{ name: '', tools: [''] }]).names()[0]).toMatch(HASHED)
    expect(createRouteMap([{ name: 'web', tools: [''] }]).names()).toEqual(['web_'])
  })

  it('is unknown for a tool or a name that is not in the map', () => {
    const map = createRouteMap([{ name: 'web', tools: ['fetch'] }])
    expect(map.toExposed('web', 'other')).toBeUndefined()
    expect(map.toExposed('other', 'fetch')).toBeUndefined()
    expect(map.toRoute('fetch')).toBeUndefined()
  })
})

describe('own names of one provider that sanitise to the same text', () => {
  it('leave it to the one that needed no change', () => {
    const map = createRouteMap([{ name: 's', tools: ['a b', 'a.b', 'a_b'] }])
    expect(map.toExposed('s', 'a_b')).toBe('s_a_b')
    expect(map.toExposed('s', 'a b')).toMatch(/^s_a_b_[0-9a-f]{8}$/)
    expect(map.toExposed('s', 'a.b')).toMatch(/^s_a_b_[0-9a-f]{8}$/)
  })

  it('leave it to the first in sorted order when every one was changed', () => {
    for (const tools of [
      ['a.b', 'a b'],
      ['a b', 'a.b'],
    ]) {
      const map = createRouteMap([{ name: 's', tools }])
      expect(map.toExposed('s', 'a b')).toBe('s_a_b')
      expect(map.toExposed('s', 'a.b')).toMatch(HASHED)
    }
  })

  it('leave it to the tool of that name rather than to one renamed to it', () => {
    const map = createRouteMap([{ name: 's', tools: ['a', 'b'], rename: { a: 'b' } }])
    expect(map.toExposed('s', 'b')).toBe('s_b')
    expect(map.toExposed('s', 'a')).toMatch(/^s_b_[0-9a-f]{8}$/)
  })

  it('stay apart when one is named like the hashed name of another', () => {
    const hashed = createRouteMap([{ name: 's', tools: ['a b', 'a_b'] }]).toExposed('s', 'a b') ?? ''
    const imitation = hashed.slice('s_'.length)
    const map = createRouteMap([{ name: 's', tools: ['a b', 'a_b', imitation] }])
    expect(new Set(map.names()).size).toBe(3)
    expect(map.toExposed('s', imitation)).toBe(hashed)
  })
})

describe('providers with related prefixes', () => {
  const shell: NamedProvider = { name: 'shell', tools: ['tools_run', 'run'] }
  const shellTools: NamedProvider = { name: 'shell_tools', tools: ['run'] }

  it.each([
    ['in this order', [shell, shellTools]],
    ['in the other order', [shellTools, shell]],
  ])('never steal from each other: the longest prefix owns the name, %s', (_title, providers) => {
    const map = createRouteMap(providers)
    expect(map.toRoute('shell_tools_run')).toEqual({ provider: 'shell_tools', own: 'run' })
    expect(map.toRoute('shell_run')).toEqual({ provider: 'shell', own: 'run' })
    expect(map.toExposed('shell', 'tools_run')).toMatch(/^shell_tools_run_[0-9a-f]{8}$/)
  })

  it('keep a name free for its owner even before the owner has any tools', () => {
    const before = createRouteMap([shell, { ...shellTools, tools: [] }])
    expect(before.toRoute('shell_tools_run')).toBeUndefined()
    expect(before.toExposed('shell', 'tools_run')).toBe(
      createRouteMap([shell, shellTools]).toExposed('shell', 'tools_run'),
    )
  })

  it('protect a prefixed provider from one without a prefix', () => {
    const map = createRouteMap([{ name: 'bare', prefix: false, tools: ['shell_run', 'other'] }, shell])
    expect(map.toRoute('shell_run')).toEqual({ provider: 'shell', own: 'run' })
    expect(map.toRoute('other')).toEqual({ provider: 'bare', own: 'other' })
  })

  it('cannot be tricked by a tool that is named like the hashed name of another provider', () => {
    const hashed = createRouteMap([shell, shellTools]).toExposed('shell', 'tools_run') ?? ''
    const thief: NamedProvider = { name: 'shell_tools', tools: [hashed.slice('shell_tools_'.length)] }
    for (const providers of [
      [shell, thief],
      [thief, shell],
    ]) {
      expect(createRouteMap(providers).toRoute(hashed)).toEqual({ provider: 'shell', own: 'tools_run' })
    }
  })

  it('cannot be tricked where a long prefix is itself cut', () => {
    const long: NamedProvider = { name: 'a'.repeat(70), tools: ['run'] }
    const hashed = createRouteMap([long]).names()[0] ?? ''
    const thief: NamedProvider = { name: 'a'.repeat(55), tools: [hashed.slice(56)] }
    for (const providers of [
      [long, thief],
      [thief, long],
    ]) {
      expect(createRouteMap(providers).toRoute(hashed)?.provider).toBe(long.name)
    }
  })

  it('leave a name that ends like a hash alone where no other provider could make it', () => {
    const map = createRouteMap([{ name: 'web', tools: ['report_20240101'] }, shell])
    expect(map.names()).toContain('web_report_20240101')
  })
})

describe('providers with equal prefixes', () => {
  const first: NamedProvider = { name: 'my.web', tools: ['fetch'] }
  const second: NamedProvider = { name: 'my web', tools: ['fetch', 'search'] }

  it('leave a name to the first in the configuration, and only where they clash', () => {
    const map = createRouteMap([first, second])
    expect(map.toRoute('my_web_fetch')).toEqual({ provider: 'my.web', own: 'fetch' })
    expect(map.toExposed('my web', 'fetch')).toMatch(/^my_web_fetch_[0-9a-f]{8}$/)
    expect(map.toExposed('my web', 'search')).toBe('my_web_search')
  })
})

describe('the entries of a route map', () => {
  it("follow the configuration and each provider's list, a repeated tool once", () => {
    const map = createRouteMap([
      { name: 'z', tools: ['b', 'a', 'b'] },
      { name: 'a', tools: ['c'] },
    ])
    expect(map.entries()).toEqual([
      { exposed: 'z_b', provider: 'z', own: 'b' },
      { exposed: 'z_a', provider: 'z', own: 'a' },
      { exposed: 'a_c', provider: 'a', own: 'c' },
    ])
    expect(map.names()).toEqual(['z_b', 'z_a', 'a_c'])
  })

  it('are none for no providers', () => {
    expect(createRouteMap([]).entries()).toEqual([])
  })
})

describe("Switchboard's own tools", () => {
  const reserves = ['mode_get_instructions', 'mode_status', 'debug_get_logs']
  const own: NamedProvider = { name: 'switchboard', prefix: false, reserves, tools: ['mode_status', 'debug_get_logs'] }
  const hashed = /_[0-9a-f]{8}$/

  it('keep their names, whatever prefixes there are and wherever they stand', () => {
    const debug: NamedProvider = { name: 'debug', tools: ['get_logs', 'run'] }
    const mode: NamedProvider = { name: 'mode', tools: ['status'] }
    for (const providers of [
      [debug, mode, own],
      [own, mode, debug],
    ]) {
      const map = createRouteMap(providers)
      expect(map.toRoute('debug_get_logs')).toEqual({ provider: 'switchboard', own: 'debug_get_logs' })
      expect(map.toRoute('mode_status')).toEqual({ provider: 'switchboard', own: 'mode_status' })
      expect(map.toExposed('debug', 'get_logs')).toMatch(hashed)
      expect(map.toExposed('mode', 'status')).toMatch(hashed)
      expect(map.toRoute('debug_run')).toEqual({ provider: 'debug', own: 'run' })
    }
  })

  it('cannot be taken by a server without a prefix', () => {
    const bare: NamedProvider = { name: 'bare', prefix: false, tools: ['mode_status', 'mode_get_instructions', 'x'] }
    const map = createRouteMap([bare, own])
    expect(map.toExposed('bare', 'mode_status')).toMatch(hashed)
    // Also one that is not listed now: it may be tomorrow, and the name must not change hands then.
    expect(map.toExposed('bare', 'mode_get_instructions')).toMatch(hashed)
    expect(map.toExposed('bare', 'x')).toBe('x')
  })

  it('change no other name by being there', () => {
    const servers: NamedProvider[] = [
      { name: 'git', tools: ['show_deadbeef', 'log', 'a'.repeat(80)] },
      { name: 'debug', tools: ['get_logs'] },
      { name: 'bare', prefix: false, tools: ['git_log', 'mode_status', 'free'] },
    ]
    const without = createRouteMap(servers, reserves)
    const entries = createRouteMap([...servers, own]).entries()
    expect(entries.filter(({ provider }) => provider !== 'switchboard')).toEqual(without.entries())
  })
})

describe('the tools of a pack', () => {
  const pack: NamedProvider = { name: 'pack:debug', prefix: false, tools: ['debug_start', 'debug_run', 'docs_get'] }
  const servers: NamedProvider[] = [
    { name: 'debug', tools: ['run', 'start_deadbeef'] },
    { name: 'docs', tools: ['search'] },
  ]

  it('keep their names beside servers whose prefixes they begin with', () => {
    const map = createRouteMap([...servers, pack])
    expect(map.toExposed('pack:debug', 'debug_start')).toBe('debug_start')
    expect(map.toExposed('pack:debug', 'docs_get')).toBe('docs_get')
  })

  it('leave a name to the server that has it, and change no other name by being there', () => {
    const map = createRouteMap([...servers, pack])
    expect(map.toRoute('debug_run')).toEqual({ provider: 'debug', own: 'run' })
    expect(map.toExposed('pack:debug', 'debug_run')).toMatch(HASHED)
    const ofServers = map.entries().filter(({ provider }) => provider !== 'pack:debug')
    expect(ofServers).toEqual(createRouteMap(servers).entries())
  })
})
