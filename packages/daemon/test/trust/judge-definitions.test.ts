import { describe, expect, test } from 'vitest'
import { acceptEntries, mergeJudged, takeBack, withEntries } from '../../src/trust/change-record.ts'
import type { OfferedDefinition } from '../../src/trust/definition.ts'
import { type DefinitionPolicy, judgeDefinitions } from '../../src/trust/judge-definitions.ts'
import { formatTrustRecord, parseTrustRecord, type TrustRecord } from '../../src/trust/trust-record.ts'

const EMPTY: TrustRecord = {
  server: 'files',
  identity: 'x',
  since: '2026-01-01T00:00:00.000Z',
  isRevoked: false,
  entries: new Map(),
  acknowledged: new Set(),
}

const tool = (name: string, description: string): OfferedDefinition => ({
  kind: 'tool',
  name,
  content: { description },
})

interface Seen {
  readonly record: TrustRecord
  readonly held: Readonly<Record<string, string | undefined>>
}

function see(
  record: TrustRecord,
  tools: readonly OfferedDefinition[],
  policy: DefinitionPolicy = 'pin',
  bad = '',
): Seen {
  const suspect = ({ name }: OfferedDefinition): string[] => (name === bad ? ['it is bad'] : [])
  const verdicts = judgeDefinitions(record, tools, { policy, suspect, now: '2026-01-02T00:00:00.000Z' })
  const entries = verdicts.map(({ entry }) => entry)
  return {
    record: withEntries(record, entries),
    held: Object.fromEntries(verdicts.map(({ definition, held }) => [definition.name, held])),
  }
}

const accept = (record: TrustRecord, name?: string, hashes?: readonly string[]): TrustRecord =>
  acceptEntries(record, { name, hashes, at: '2026-01-03T00:00:00.000Z', remarks: [] }).record

const first = see(EMPTY, [tool('read', 'Reads.'), tool('write', 'Writes.')]).record

describe('a definition', () => {
  test('is accepted as it is first seen, and stays so', () => {
    expect(see(first, [tool('read', 'Reads.')]).held).toEqual({ read: undefined })
    expect(first.entries.get('tool:read')?.accepted?.by).toBe('first-use')
  })

  test('that changed is held back until it is accepted, the others are not', () => {
    const changed = see(first, [tool('read', 'Reads more.'), tool('write', 'Writes.')])
    expect(changed.held).toEqual({ read: 'its description changed', write: undefined })
    expect(see(accept(changed.record), [tool('read', 'Reads more.')]).held).toEqual({ read: undefined })
  })

  test('that goes back to one that was accepted before is shown, to another one it is not', () => {
    const second = accept(see(first, [tool('read', 'Reads more.')]).record)
    expect(see(second, [tool('read', 'Reads.')]).held).toEqual({ read: undefined })
    expect(see(second, [tool('read', 'Reads it all.')]).held).toEqual({ read: 'its description changed' })
  })

  test('that changed and changed back waits no more', () => {
    const changed = see(first, [tool('read', 'Reads more.')]).record
    const back = see(changed, [tool('read', 'Reads.')])
    expect(back.record.entries.get('tool:read')?.waiting).toBeUndefined()
    expect(back.held).toEqual({ read: undefined })
  })

  test('that changed once more since it was shown is not accepted with it', () => {
    const shown = see(first, [tool('read', 'Reads more.')]).record
    const hash = shown.entries.get('tool:read')?.waiting?.hash ?? ''
    const later = see(shown, [tool('read', 'Reads and sends.')]).record
    expect(see(accept(later, undefined, [hash]), [tool('read', 'Reads and sends.')]).held.read).toBeDefined()
  })

  test('that is suspicious is held back also when it is the first, and says both where it changed', () => {
    expect(see(EMPTY, [tool('bad', 'x')], 'pin', 'bad').held).toEqual({ bad: 'it is bad' })
    expect(see(first, [tool('read', 'x')], 'pin', 'read').held).toEqual({
      read: 'its description changed and it is bad',
    })
  })

  test('that a known server adds is shown, and with "strict" it is not', () => {
    expect(see(first, [tool('more', 'x')]).held).toEqual({ more: undefined })
    expect(see(first, [tool('more', 'x')], 'strict').held).toEqual({ more: 'it is new' })
    expect(see(EMPTY, [tool('more', 'x')], 'strict').held).toEqual({ more: undefined })
  })

  test('that changed is shown with "warn", and remembered', () => {
    const changed = see(first, [tool('read', 'Reads more.')], 'warn')
    expect(changed.held).toEqual({ read: undefined })
    expect(changed.record.entries.get('tool:read')?.waiting?.reasons).toEqual(['its description changed'])
  })
})

describe('a server that was taken back', () => {
  const taken = takeBack(first, '2026-01-04T00:00:00.000Z')

  test('shows nothing, whatever the configuration says, and nothing that it adds', () => {
    const all = [tool('read', 'Reads.'), tool('more', 'x')]
    for (const policy of ['pin', 'warn'] as const) {
      expect(see(taken, all, policy).held).toEqual({
        read: 'its server was taken back',
        more: 'its server was taken back',
      })
    }
  })

  test('is accepted again, one tool or all of it', () => {
    const one = accept(taken, 'read')
    expect(see(one, [tool('read', 'Reads.'), tool('write', 'Writes.')]).held).toEqual({
      read: undefined,
      write: 'its server was taken back',
    })
    expect(see(accept(one), [tool('write', 'Writes.'), tool('more', 'x')]).held).toEqual({
      write: undefined,
      more: undefined,
    })
  })
})

describe('a record', () => {
  test('is the same after it was written and read', () => {
    const record = see(accept(see(first, [tool('read', 'Reads more.')]).record), [tool('write', 'New.')]).record
    expect(parseTrustRecord(formatTrustRecord(record), 'file')).toEqual(record)
  })

  test.each([
    ['nothing', ''],
    ['half of it', formatTrustRecord(first).slice(0, 200)],
    ['another version', '{"version":2}'],
    ['an entry that is none', '{"version":1,"server":"a","identity":"b","since":"c","acknowledged":[],"entries":[{}]}'],
    ['no list of entries', '{"version":1,"server":"a","identity":"b","since":"c","acknowledged":[]}'],
  ])('with %s in it is an error, not a new server', (_, text) => {
    expect(() => parseTrustRecord(text, 'the file')).toThrow('the file')
  })

  test('of another process keeps what that one accepted', () => {
    const theirs = see(EMPTY, [tool('read', 'Theirs.')]).record
    const ours = [...see(EMPTY, [tool('read', 'Ours.'), tool('write', 'Ours.')]).record.entries.values()]
    const merged = mergeJudged(theirs, ours)
    expect(merged.entries.get('tool:read')?.accepted?.content).toEqual({ description: 'Theirs.' })
    expect(merged.entries.get('tool:write')?.accepted?.content).toEqual({ description: 'Ours.' })
    expect(see(merged, [tool('read', 'Ours.')]).held).toEqual({ read: 'its description changed' })
  })
})
