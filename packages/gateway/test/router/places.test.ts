import { describe, expect, test } from 'vitest'
import { Router, type RouterEvent } from '../../src/router/router.ts'
import { FakeProvider, tool } from '../helpers/fake-provider.ts'
import { FakeSource } from '../helpers/gateway-harness.ts'

/** A provider `db@x` is seen at the place `x` alone, where callers of the workspace `/x` are. */
class PlacedSource extends FakeSource {
  readonly #sets = new Map<string, ReadonlySet<string>>()
  readonly remarks = new Map<string, string>()

  placeOf(provider: string): string | undefined {
    return provider.split('@')[1]
  }

  placesOf(workspace: string | undefined): ReadonlySet<string> {
    const place = workspace?.slice(1) ?? ''
    const known = this.#sets.get(place) ?? new Set(place === '' ? [] : [place])
    this.#sets.set(place, known)
    return known
  }

  remarksAt(places: ReadonlySet<string>): readonly string[] {
    return [...places].flatMap((place) => this.remarks.get(place) ?? [])
  }
}

const mine = () => new FakeProvider('mine', { catalog: { tools: [tool('one')] } })
const db = (place: string) =>
  new FakeProvider(`db@${place}`, { naming: { prefix: 'db' }, catalog: { tools: [tool(`of_${place}`)] } })

function open(...providers: FakeProvider[]) {
  const source = new PlacedSource(providers)
  const router = new Router(source)
  const events: RouterEvent[] = []
  router.onDidChange((event) => events.push(event))
  const names = (workspace?: string) =>
    router
      .viewFor({ profile: 'default', ...(workspace === undefined ? {} : { workspace }) })
      .tools.map(({ name }) => name)
  return { source, router, events, names }
}

describe('a provider of one place', () => {
  test('is seen there, with its own names, and nowhere else', () => {
    const { router, names } = open(mine(), db('x'), db('y'))
    expect(names('/x')).toEqual(['mine_one', 'db_of_x'])
    expect(names('/y')).toEqual(['mine_one', 'db_of_y'])
    expect(names('/z')).toEqual(['mine_one'])
    expect(names()).toEqual(['mine_one'])
    // Not even that it is there is told: it is no tool of another profile.
    expect(router.viewFor({ profile: 'default', workspace: '/y' }).findTool('db_of_x')).toBe('unknown')
    const all = router.viewFor({ profile: 'default', isUnrestricted: true }).tools.map(({ name }) => name)
    expect(all).toEqual(['mine_one', 'db_of_x', 'db_of_y'])
  })

  test('that changes is told there alone, and no other view is made anew', () => {
    const x = db('x')
    const { router, events } = open(mine(), x, db('y'))
    const [there, elsewhere, nowhere] = ['/x', '/y', '/z'].map((workspace) => ({ profile: 'default', workspace }))
    if (there === undefined || elsewhere === undefined || nowhere === undefined) throw new Error('unreachable')
    const before = [elsewhere, nowhere].map((viewer) => router.viewFor(viewer))
    router.viewFor(there)
    x.simulateCatalog({ tools: [tool('new')] }, ['tools'])
    expect(router.viewFor(there).tools.map(({ name }) => name)).toEqual(['mine_one', 'db_new'])
    expect([elsewhere, nowhere].map((viewer) => router.viewFor(viewer))).toEqual(before)
    const [event] = events
    if (event === undefined) throw new Error('nothing was told')
    expect([there, elsewhere, nowhere].map((viewer) => router.concerns(event, viewer))).toEqual([true, false, false])
    expect(router.concerns(event, { profile: 'default', isUnrestricted: true })).toBe(true)
  })

  test('that comes or goes concerns its place, and one of everybody concerns everybody', () => {
    const [own, x] = [mine(), db('x')]
    const { source, router, events } = open(own)
    const viewers = [
      { profile: 'default', workspace: '/x' },
      { profile: 'default', workspace: '/y' },
    ]
    source.simulateProviders([own, x])
    source.simulateProviders([own])
    source.simulateProviders([own, x, new FakeProvider('more')])
    const told = events.map((event) => viewers.map((viewer) => router.concerns(event, viewer)))
    expect(told).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ])
  })

  test('has its notices heard there alone', () => {
    const { router } = open(mine(), db('x'))
    const event = { type: 'noticed', provider: 'db@x', method: 'notifications/message', params: {} } as const
    expect(router.concerns(event, { profile: 'default', workspace: '/x' })).toBe(true)
    expect(router.concerns(event, { profile: 'default', workspace: '/y' })).toBe(false)
    expect(router.concerns({ ...event, provider: 'mine' }, { profile: 'default', workspace: '/y' })).toBe(true)
  })
})

test('what is to be known of a place is told to agents there, before what servers say', () => {
  const loud = new FakeProvider('mine', { catalog: { instructions: 'x'.repeat(5_000) } })
  const { source, router } = open(loud)
  source.remarks.set('x', 'Two servers wait.')
  expect(router.viewFor({ profile: 'default', workspace: '/x' }).instructions).toMatch(/^Two servers wait\./)
  expect(router.viewFor({ profile: 'default', workspace: '/y' }).instructions).not.toContain('wait')
})
