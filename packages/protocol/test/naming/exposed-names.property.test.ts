/** The promises of exposed-names.ts for generated configurations; each case is named by its seed. */
import { createRouteMap, MAX_EXPOSED_NAME, type NamedProvider, type RouteMap } from '@switchboard/protocol/naming'
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'

const SEEDS = Array.from({ length: 150 }, (_, seed) => seed)
/** Few and alike on purpose: clashes are the rule here. */
const PIECES = [
  'shell',
  'tools',
  'run',
  '_',
  '__',
  '-',
  '.',
  ' ',
  'é',
  '👩‍🚀',
  'a',
  'A',
  '',
  'deadbeef',
  'x'.repeat(40),
]
const LONG = 'n'.repeat(300)

function createText(random: SeededRandom): string {
  if (random.below(12) === 0) return LONG + random.pick(PIECES)
  return Array.from({ length: random.below(5) }, () => random.pick(PIECES)).join(random.pick(['_', '', '_']))
}

function createProviders(random: SeededRandom): NamedProvider[] {
  const names = new Set(Array.from({ length: 1 + random.below(6) }, () => createText(random)))
  return [...names].map((name) => {
    const tools = Array.from({ length: random.below(25) }, () => createText(random))
    const rename = Object.fromEntries(tools.filter(() => random.below(8) === 0).map((own) => [own, createText(random)]))
    const prefix = random.below(4) === 0 ? random.pick([false, '', 'shell', createText(random)] as const) : undefined
    return { name, tools, rename, prefix }
  })
}

function collectNames(map: RouteMap, provider: NamedProvider): Map<string, string | undefined> {
  return new Map(provider.tools.map((own) => [own, map.toExposed(provider.name, own)]))
}

function sanitisedPrefix({ name, prefix }: NamedProvider): string {
  return prefix === false ? '' : (prefix ?? name).replace(/[^\w-]/gu, '_')
}

describe.each(SEEDS)('configuration %i', (seed) => {
  const random = createSeededRandom(seed)
  const providers = createProviders(random)
  const map = createRouteMap(providers)
  const prefixes = providers.map(sanitisedPrefix)
  const withOwnPrefix = providers.filter((provider) => {
    const prefix = sanitisedPrefix(provider)
    return prefixes.filter((other) => other === prefix).length === 1
  })

  it('gives every tool one name of its own, both ways, within length and alphabet', () => {
    const wanted = providers.flatMap(({ name, tools }) => [...new Set(tools)].map((own) => ({ provider: name, own })))
    const bare = new Set(providers.filter((entry) => sanitisedPrefix(entry) === '').map(({ name }) => name))
    const names = new Set<string>()
    for (const { provider, own } of wanted) {
      const exposed = map.toExposed(provider, own)
      expect(exposed).toBeTruthy()
      if (exposed === undefined) continue
      // Without a prefix a name is exposed as it is.
      if (!bare.has(provider)) {
        expect(exposed).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(exposed.length).toBeLessThanOrEqual(MAX_EXPOSED_NAME)
      }
      expect(map.toRoute(exposed)).toEqual({ provider, own })
      names.add(exposed)
    }
    expect(names.size).toBe(wanted.length)
    expect(map.entries()).toHaveLength(wanted.length)
  })

  it('does not depend on the order in which tools are listed', () => {
    const shuffled = createRouteMap(providers.map((entry) => ({ ...entry, tools: random.shuffle(entry.tools) })))
    for (const provider of providers) expect(collectNames(shuffled, provider)).toEqual(collectNames(map, provider))
  })

  it("does not depend on which other providers' tools have arrived", () => {
    for (const provider of withOwnPrefix) {
      const partial = createRouteMap(
        providers.map((other) => {
          if (other === provider) return other
          return { ...other, tools: other.tools.filter(() => random.below(2) === 0) }
        }),
      )
      expect(collectNames(partial, provider)).toEqual(collectNames(map, provider))
    }
  })

  it('does not depend on the order of providers with different prefixes', () => {
    const shuffled = createRouteMap(random.shuffle(providers))
    for (const provider of withOwnPrefix) expect(collectNames(shuffled, provider)).toEqual(collectNames(map, provider))
  })

  it('never gives a plain name to anyone but the provider with the longest fitting prefix', () => {
    for (const provider of withOwnPrefix) {
      const prefix = sanitisedPrefix(provider)
      for (const own of provider.tools) {
        const exposed = map.toExposed(provider.name, own) ?? ''
        const foreign = prefixes.some((other) => other.length > prefix.length && exposed.startsWith(`${other}_`))
        if (foreign) expect(exposed).toMatch(/_[0-9a-f]{8}$/)
      }
    }
  })
})
