import { EMPTY_CATALOG, type Provider } from '@switchboard/protocol'
import { createMemoryLogger } from '@switchboard/telemetry'
import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { type AnyPack, BuiltInPacks, type PackSettings } from '../../src/packs/built-in-packs.ts'
import { PACKS } from '../../src/packs/packs.ts'

interface FakePack extends AnyPack<string> {
  /** What happened to it, in order. */
  readonly story: string[]
  failure: Error | undefined
}

function createFakePack(name: string, config: AnyPack<string>['config'] = PACKS[0]?.config): FakePack {
  const story: string[] = []
  const pack: FakePack = {
    name,
    summary: `All about ${name}`,
    config,
    tools: PACKS[0]?.tools.slice(0, 2) ?? [],
    guides: [],
    story,
    failure: undefined,
    create({ services, folders }, settings: unknown) {
      if (pack.failure !== undefined) throw pack.failure
      const own = JSON.stringify(settings) ?? 'nothing'
      story.push(`created with ${own}, ${services}, ${folders.cache}`)
      const provider: Provider = {
        name: `pack:${name}`,
        catalog: () => EMPTY_CATALOG,
        onCatalogChange: () => ({ dispose: () => {} }),
        onResourceUpdated: () => ({ dispose: () => {} }),
        request: async () => ({}),
        status: () => ({ name: `pack:${name}`, state: 'ready', stale: false }),
      }
      return {
        provider,
        release: (owner) => void story.push(`released ${owner}`),
        close: async () => void story.push(`closed ${own}`),
      }
    },
  }
  return pack
}

/** None of these keeps anything. */
const storeFor = () => ({
  isEmpty: () => true,
  describe: async () => ({ engine: 'none', state: 'absent', bytes: 0 }),
  space: async () => {
    throw new Error('nobody asked for a store')
  },
})

async function open(packs: readonly FakePack[], settings: PackSettings) {
  const log = createMemoryLogger()
  const clock = new FakeClock()
  const opened = await BuiltInPacks.open({
    packs,
    settings,
    log,
    cacheDirectory: '/c',
    storeFor,
    services: 'services',
    clock,
  })
  const states = (): string[] => opened.providers().map(({ name, status }) => `${name} ${status().state}`)
  return { packs: opened, states, log, clock }
}

describe('built-in packs', () => {
  it('are made with their own settings and folder, unless they are switched off', async () => {
    const [a, b, own] = [createFakePack('a'), createFakePack('b'), createFakePack('own')]
    const { states, packs } = await open([a, b, own], { a: { enabled: true }, b: { enabled: false } })
    expect(a.story).toEqual(['created with {"enabled":true}, services, /c/a'])
    expect(own.story).toEqual(['created with nothing, services, /c/own'])
    expect(states()).toEqual(['pack:a ready', 'pack:own ready'])
    expect(packs.active().map(({ name }) => name)).toEqual(['a', 'own'])
  })

  it('are made anew when their own settings change, and no other is (1)', async () => {
    const [a, b] = [createFakePack('a'), createFakePack('b')]
    const { packs } = await open([a, b], { a: { enabled: true }, b: { enabled: true } })
    let changes = 0
    packs.onDidChange(() => changes++)
    const other = { enabled: true, depth: 3 }
    await packs.reconfigure({ a: { enabled: true }, b: other })
    expect(a.story).toHaveLength(1)
    expect(b.story.slice(1)).toEqual([
      'created with {"enabled":true,"depth":3}, services, /c/b',
      'closed {"enabled":true}',
    ])
    await packs.reconfigure({ a: { enabled: true }, b: other })
    expect(changes).toBe(1)
    await packs.reconfigure({ a: { enabled: false }, b: other })
    expect(a.story.at(-1)).toBe('closed {"enabled":true}')
    expect(packs.providers().map(({ name }) => name)).toEqual(['pack:b'])
  })

  it('that cannot be made are a state: their tools are listed and say why (2)', async () => {
    const [bad, good] = [createFakePack('bad'), createFakePack('good')]
    bad.failure = new Error('no room on the disk')
    const { packs, states, log } = await open([bad, good], { bad: { enabled: true }, good: { enabled: true } })
    expect(states()).toEqual(['pack:bad failed', 'pack:good ready'])
    const [provider] = packs.providers()
    expect(provider?.catalog().tools.map(({ name }) => name)).toEqual(bad.tools.map(({ name }) => name))
    const call = {
      id: '1',
      traceId: 't',
      caller: { era: 'legacy', capabilities: {} },
      signal: AbortSignal.abort(),
    } as const
    await expect(provider?.request('tools/call', { name: 'x' }, call)).rejects.toMatchObject({
      code: 'pack_failed',
      message: 'The pack bad could not be started: no room on the disk',
      executed: false,
    })
    expect(log.entries.map(({ msg }) => msg)).toEqual(['the pack bad could not be started: no room on the disk'])
    bad.failure = undefined
    await packs.reconfigure({ bad: { enabled: true, again: 1 } as { enabled: true }, good: { enabled: true } })
    expect(states()).toEqual(['pack:bad ready', 'pack:good ready'])
  })

  it('apply everywhere unless they say where, and are asked again after a while', async () => {
    const asked: unknown[] = []
    const isMod = (workspace: string | undefined): boolean => {
      asked.push(workspace)
      return workspace?.startsWith('/mods/') === true
    }
    const [everywhere, mods] = [createFakePack('everywhere'), { ...createFakePack('mods'), applies: isMod }]
    const { packs, clock } = await open([everywhere, mods], {})
    const absent = packs.listingIn('/home').absent
    expect([...absent]).toEqual(['pack:mods'])
    expect([...packs.listingIn('/mods/one').absent]).toEqual([])
    // One set for the same packs: the views of all such callers are one.
    expect(packs.listingIn('/home').absent).toBe(absent)
    expect(packs.listingIn(undefined).absent).toBe(absent)
    expect(asked).toEqual(['/home', '/mods/one', undefined])
    clock.advance(5_000)
    expect(packs.listingIn('/home').absent).toBe(absent)
    expect(asked).toHaveLength(4)
    expect([...(await open([everywhere], {})).packs.listingIn('/home').absent]).toEqual([])
  })

  it('have tools that are listed in some workspaces only', async () => {
    const lens = {
      ...createFakePack('lens'),
      listedIn: (workspace: string | undefined) => (workspace === '/mod' ? ['lens_more'] : []),
    }
    const { packs } = await open([lens], {})
    expect([...packs.listingIn('/mod').listed]).toEqual(['lens_more'])
    expect([...packs.listingIn('/home').listed]).toEqual([])
    expect(packs.listingIn('/elsewhere')).toBe(packs.listingIn('/home'))
  })

  it('that cannot say where they apply are listed (3)', async () => {
    const unsure = {
      ...createFakePack('unsure'),
      applies: () => {
        throw new Error('no such folder')
      },
    }
    const { packs, log } = await open([unsure], {})
    expect([...packs.listingIn('/home').absent]).toEqual([])
    expect(log.entries.map(({ msg }) => msg)).toEqual(['unsure cannot say where it applies: no such folder'])
  })

  it('are told of agents that are gone, and all end together', async () => {
    const [a, off] = [createFakePack('a'), createFakePack('off')]
    const { packs } = await open([a, off], { a: { enabled: true }, off: { enabled: false } })
    packs.release('me')
    await packs.close()
    expect(a.story.slice(1)).toEqual(['released me', 'closed {"enabled":true}'])
    expect(off.story).toEqual([])
  })
})
