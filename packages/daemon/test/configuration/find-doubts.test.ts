import { describe, expect, it } from 'vitest'
import { findDoubts } from '../../src/configuration/find-doubts.ts'
import { listProfileNames } from '../../src/profiles/list-profile-names.ts'
import { readText } from './read-config.ts'

const PACKS = ['pack:debug', 'switchboard']

function doubt(profiles: object, names: readonly string[] = [], unknown: readonly string[] = []): string[] {
  const config = readText(JSON.stringify({ mcpServers: { memory: { command: 'x' } }, profiles }))
  return findDoubts(config, PACKS, { names, mayBe: (name) => unknown.some((prefix) => name.startsWith(prefix)) })
}

describe('what names nobody in a profile', () => {
  it('is a server or pack of `providers`, with the nearest that is there', () => {
    expect(doubt({ x: { providers: ['memory', 'memroy', 'pack:debug', 'ghost'] } })).toEqual([
      'profiles.x.providers: no server or pack is named "memroy". Did you mean "memory"?',
      'profiles.x.providers: no server or pack is named "ghost".',
    ])
  })

  it('is a tool that is pinned or allowed, unless a server that is not known yet may have it', () => {
    const profiles = {
      x: { search: true, pinned: ['memory_raed', 'later_tool'], tools: { allow: ['memory_*', 'memory_rad'] } },
    }
    expect(doubt(profiles, ['memory_read'], ['later_'])).toEqual([
      'profiles.x.pinned: no tool is named "memory_raed". Did you mean "memory_read"?',
      'profiles.x.tools.allow: no tool is named "memory_rad". Did you mean "memory_read"?',
    ])
  })

  it('is nothing where every name is known, and no tool where nothing runs', () => {
    expect(doubt({ x: { providers: ['memory'], pinned: ['memory_read'] } }, ['memory_read'])).toEqual([])
    const config = readText('{"profiles": {"x": {"pinned": ["a_b"]}}}')
    expect(findDoubts(config, PACKS)).toEqual([])
  })
})

it('the profiles that a credential may name are those of the file and those that are built in', () => {
  const ofMemory = ['memory', 'memory-full']
  const all = ['default', 'x', 'debug', 'debug-full', ...ofMemory, 'lens', 'lens-full']
  expect(listProfileNames(readText('{"profiles": {"x": {}}}'))).toEqual(all)
  expect(listProfileNames(readText('{"packs": {"debug": {"enabled": false}}}'))).toEqual([
    'default',
    ...ofMemory,
    'lens',
    'lens-full',
  ])
})
