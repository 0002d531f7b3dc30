import type { Profile } from '@switchboard/gateway'
import { describe, expect, it } from 'vitest'
import { PACKS } from '../../src/packs/packs.ts'
import { createProfiles } from '../../src/profiles/create-profiles.ts'

const PLAIN = { providers: undefined, tools: { allow: [], deny: [] }, search: false, pinned: [] }

type ListedPack = Parameters<typeof createProfiles>[1][number]

/** With one tool of its core and one besides. */
function createPack(name: string): ListedPack {
  const [like] = PACKS[0]?.tools ?? []
  if (like === undefined) throw new Error('there are no packs')
  const declare = (tool: string, core: boolean) => ({ ...like, name: `${name}_${tool}`, core, listed: true })
  return { name, tools: [declare('core', true), declare('more', false)] }
}

function unlisted(profiles: readonly Profile[]): Record<string, readonly string[] | undefined> {
  return Object.fromEntries(profiles.map((profile) => [profile.name, profile.unlisted]))
}

const [clock, lens, own] = [createPack('clock'), createPack('lens'), createPack('switchboard')]

describe('the profiles that are built in', () => {
  it('are one for all and two for each pack, but for our own', () => {
    const profiles = createProfiles({}, [clock, lens, own])
    expect(profiles.map(({ name, providers }) => [name, providers])).toEqual([
      ['default', undefined],
      ['clock', ['pack:clock']],
      ['clock-full', ['pack:clock']],
      ['lens', ['pack:lens']],
      ['lens-full', ['pack:lens']],
    ])
  })

  it('list the core of a pack, and all of it in the one that is named so', () => {
    expect(unlisted(createProfiles({}, [clock, lens]))).toEqual({
      default: ['clock_more', 'lens_more'],
      clock: ['clock_more', 'lens_more'],
      'clock-full': ['lens_more'],
      lens: ['clock_more', 'lens_more'],
      'lens-full': ['clock_more'],
    })
  })

  it('are none where no pack is there but our own', () => {
    expect(createProfiles({}, [own])).toEqual([])
  })

  it('stand back for those of the configuration', () => {
    const profiles = createProfiles({ clock: { ...PLAIN, providers: ['files'] } }, [clock])
    expect(profiles.map(({ name, providers }) => [name, providers])).toEqual([
      ['clock', ['files']],
      ['default', undefined],
      ['clock-full', ['pack:clock']],
    ])
  })
})

describe('a configured profile', () => {
  it('lists what is pinned, and exactly what it allows', () => {
    const pinned = { ...PLAIN, pinned: ['clock_more'] }
    const allowing = { ...PLAIN, tools: { allow: ['clock_*'], deny: ['x'] } }
    const profiles = createProfiles({ pinned, allowing }, [clock, lens])
    expect(unlisted(profiles)).toMatchObject({ pinned: ['lens_more'], allowing: [] })
    expect(profiles.find(({ name }) => name === 'allowing')?.tools?.deny).toEqual(['x'])
  })

  it('shows the way to a mode where the rest is searched for', () => {
    const [search, plain] = createProfiles({ search: { ...PLAIN, search: true, pinned: ['a'] }, plain: PLAIN }, [])
    expect(search?.pinned).toEqual(['a', 'mode_get_instructions'])
    expect(plain?.pinned).toEqual([])
  })
})
