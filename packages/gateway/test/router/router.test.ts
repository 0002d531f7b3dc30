import { describe, expect, it } from 'vitest'
import { Router, type RouterEvent } from '../../src/router/router.ts'
import type { View } from '../../src/router/view.ts'
import { FakeProvider, tool } from '../helpers/fake-provider.ts'
import { FakeSource } from '../helpers/gateway-harness.ts'

function createRouter(...providers: FakeProvider[]): { source: FakeSource; router: Router; events: RouterEvent[] } {
  const source = new FakeSource(providers)
  const router = new Router(source, [
    { name: 'dev', providers: ['a'] },
    { name: 'search', search: true },
  ])
  const events: RouterEvent[] = []
  router.onDidChange((event) => events.push(event))
  return { source, router, events }
}

describe('a profile', () => {
  const { router } = createRouter(new FakeProvider('a'))

  it('is found by name; the default is always there', () => {
    expect(router.view('default').profile).toEqual({ name: 'default' })
    expect(router.view('dev').profile.providers).toEqual(['a'])
    expect(router.profileNames).toEqual(['default', 'dev', 'search'])
  })

  it('that does not exist is an error with the nearest name', () => {
    expect(() => router.view('devv')).toThrow(
      expect.objectContaining({ code: 'unknown_profile', hint: 'Did you mean "dev"?' }),
    )
    expect(() => router.view('__proto__')).toThrow(expect.objectContaining({ code: 'unknown_profile' }))
  })

  it('named default replaces the built-in one', () => {
    const own = new Router(new FakeSource([]), [{ name: 'default', search: true }])
    expect(own.view('default').profile.search).toBe(true)
    expect(own.profileNames).toEqual(['default'])
  })
})

describe('a view', () => {
  it('is kept until something changes', () => {
    const a = new FakeProvider('a', { catalog: { tools: [tool('one')] } })
    const { router, events } = createRouter(a)
    const before = router.view('default')
    expect(router.view('default')).toBe(before)
    a.simulateCatalog({ tools: [tool('one'), tool('two')] }, ['tools'])
    expect(router.view('default').tools.map(({ name }) => name)).toEqual(['a_one', 'a_two'])
    expect(before.tools.map(({ name }) => name)).toEqual(['a_one'])
    expect(events).toEqual([{ type: 'catalog_changed', parts: ['tools'] }])
  })

  describe('of a caller whose workspace some do not apply to', () => {
    const a = new FakeProvider('a', { catalog: { tools: [tool('one')] } })
    const b = new FakeProvider('b', { catalog: { tools: [tool('two')] } })
    const names = ({ tools }: View): string[] => tools.map(({ name }) => name)
    const plain = { profile: 'default', workspace: '/plain' }

    it('lists the others, and all elsewhere, under the names that they have everywhere', () => {
      const { source, router } = createRouter(a, b)
      source.simulateAbsent('/plain', 'a')
      expect(names(router.viewFor(plain))).toEqual(['b_two'])
      expect(router.viewFor(plain).findTool('a_one')).toBe('denied')
      expect(names(router.viewFor({ ...plain, workspace: '/mod' }))).toEqual(['a_one', 'b_two'])
      expect(names(router.viewFor({ profile: 'default' }))).toEqual(['a_one', 'b_two'])
    })

    it('lists one that its profile names, and everything to a person', () => {
      const { source, router } = createRouter(a, b)
      source.simulateAbsent('/plain', 'a')
      expect(names(router.viewFor({ ...plain, profile: 'dev' }))).toEqual(['a_one'])
      expect(names(router.viewFor({ ...plain, isUnrestricted: true }))).toEqual(['a_one', 'b_two'])
    })

    it('lists there what its profile leaves to a search, but for what that denies', () => {
      const { source, router } = createRouter(a, b)
      router.setProfiles([
        { name: 'default', unlisted: ['a_one', 'b_two'] },
        { name: 'firm', unlisted: ['a_one'], tools: { deny: ['a_*'] } },
      ])
      source.listings.set('/mod', { absent: new Set(), listed: new Set(['a_one']) })
      const mod = router.viewFor({ profile: 'default', workspace: '/mod' })
      expect([names(mod), mod.unlisted.map(({ name }) => name)]).toEqual([['a_one'], ['b_two']])
      expect(names(router.viewFor(plain))).toEqual([])
      expect(names(router.viewFor({ profile: 'firm', workspace: '/mod' }))).toEqual(['b_two'])
    })

    it('is kept until something changes', () => {
      const { source, router } = createRouter(a, b)
      source.simulateAbsent('/plain', 'a')
      const before = router.viewFor(plain)
      expect(router.viewFor(plain)).toBe(before)
      b.simulateCatalog({ tools: [tool('three')] }, ['tools'])
      expect(names(router.viewFor(plain))).toEqual(['b_three'])
      router.setProfiles([{ name: 'default', tools: { deny: ['b_*'] } }])
      expect(names(router.viewFor(plain))).toEqual([])
      expect(() => router.viewFor({ ...plain, profile: 'gone' })).toThrow(
        expect.objectContaining({ code: 'unknown_profile' }),
      )
    })
  })

  it('of an unrestricted viewer has everything, follows changes, and has no name', () => {
    const a = new FakeProvider('a', { catalog: { tools: [tool('one')] } })
    const router = new Router(new FakeSource([a]), [{ name: 'default', providers: [] }])
    const person = { profile: 'default', isUnrestricted: true }
    expect(router.viewFor({ profile: 'default' }).tools).toEqual([])
    expect(router.viewFor(person).tools.map(({ name }) => name)).toEqual(['a_one'])
    a.simulateCatalog({ tools: [tool('two')] }, ['tools'])
    expect(router.viewFor(person).tools.map(({ name }) => name)).toEqual(['a_two'])
    expect(router.hasViewFor({ profile: 'gone', isUnrestricted: true })).toBe(true)
    expect(router.hasViewFor({ profile: 'gone' })).toBe(false)
    expect(() => router.view(router.viewFor(person).profile.name)).toThrow(
      expect.objectContaining({ code: 'unknown_profile' }),
    )
  })

  it('shows a provider that came and forgets one that went', () => {
    const a = new FakeProvider('a', { catalog: { tools: [tool('one')] } })
    const b = new FakeProvider('b', { catalog: { tools: [tool('two')] } })
    const { source, router, events } = createRouter(a)
    source.simulateProviders([b])
    expect(router.view('default').tools.map(({ name }) => name)).toEqual(['b_two'])
    expect(events).toEqual([{ type: 'catalog_changed', parts: ['tools', 'resources', 'prompts'] }])
    a.simulateCatalog({}, ['tools'])
    expect(events).toHaveLength(1)
    b.simulateCatalog({}, ['prompts'])
    expect(events[1]).toEqual({ type: 'catalog_changed', parts: ['prompts'] })
    expect(a.listenerCount).toBe(0)
  })
})

describe('events', () => {
  it('say which provider’s resource changed', () => {
    const a = new FakeProvider('a')
    const { events } = createRouter(a)
    a.simulateResourceUpdated('r://x', { uri: 'r://x', extra: 1 })
    expect(events).toEqual([
      { type: 'resource_updated', provider: 'a', uri: 'r://x', params: { uri: 'r://x', extra: 1 } },
    ])
  })

  it('reach nobody who stopped listening, and nobody at all after the end', () => {
    const a = new FakeProvider('a')
    const { source, router, events } = createRouter(a)
    const more: RouterEvent[] = []
    const subscription = router.onDidChange((event) => {
      more.push(event)
      subscription.dispose()
    })
    a.simulateCatalog({})
    a.simulateCatalog({})
    expect([events.length, more.length]).toEqual([2, 1])
    router.dispose()
    expect([a.listenerCount, source.listenerCount]).toEqual([0, 0])
  })
})

describe('new profiles', () => {
  const catalog = { tools: [tool('one')] }

  it('hold at once, and tell whose view changed', () => {
    const { router, events } = createRouter(new FakeProvider('a', { catalog }), new FakeProvider('b', { catalog }))
    const kept = router.view('search')
    expect(router.view('dev').tools.map(({ name }) => name)).toEqual(['a_one'])
    router.setProfiles([
      { name: 'dev', providers: ['b'] },
      { name: 'search', search: true },
    ])
    expect(router.view('dev').tools.map(({ name }) => name)).toEqual(['b_one'])
    expect(router.view('search')).toBe(kept)
    expect(events).toEqual([
      { type: 'catalog_changed', parts: ['tools', 'resources', 'prompts'], profiles: new Set(['dev']) },
    ])
  })

  it('that say the same change nothing', () => {
    const { router, events } = createRouter(new FakeProvider('a', { catalog }))
    router.setProfiles([
      { name: 'search', search: true },
      { name: 'dev', providers: ['a'] },
    ])
    expect(events).toEqual([])
  })

  it('make one that is gone unknown, and give back the built-in default', () => {
    const { router } = createRouter(new FakeProvider('a', { catalog }))
    router.setProfiles([{ name: 'default', providers: [] }])
    expect(router.hasProfile('dev')).toBe(false)
    expect(() => router.view('dev')).toThrow(expect.objectContaining({ code: 'unknown_profile' }))
    expect(router.view('default').tools).toEqual([])
    router.setProfiles([])
    expect(router.view('default').tools).toHaveLength(1)
    expect(router.hasProfile('default')).toBe(true)
  })
})
