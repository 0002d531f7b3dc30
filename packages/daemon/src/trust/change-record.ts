/** What becomes of a record: pure, for memory and file alike. */
import { keyOf } from './definition.ts'
import { TAKEN_BACK } from './judge-definitions.ts'
import type { TrustEntry, TrustRecord } from './trust-record.ts'

/** Of one definition. */
const MAX_EARLIER = 16

export interface AcceptedWord {
  /** Of one tool or prompt; undefined: of all. */
  readonly name: string | undefined
  /** What was shown; undefined: whatever waits now. */
  readonly hashes: readonly string[] | undefined
  readonly at: string
  /** Of remarks that were shown. */
  readonly remarks: readonly string[]
}

/** `meant`: those that it is about, as they waited. */
export function acceptEntries(
  record: TrustRecord,
  { name, hashes, at, remarks }: AcceptedWord,
): { readonly record: TrustRecord; readonly meant: readonly TrustEntry[] } {
  const entries = new Map(record.entries)
  const meant: TrustEntry[] = []
  for (const entry of record.entries.values()) {
    const { kind, name: own, waiting, accepted } = entry
    if (waiting === undefined || (name !== undefined && own !== name)) continue
    if (hashes !== undefined && !hashes.includes(waiting.hash)) continue
    const { hash, content } = waiting
    const before = accepted === undefined ? [] : [accepted.hash, ...accepted.before].slice(0, MAX_EARLIER)
    meant.push(entry)
    entries.set(keyOf(entry), { kind, name: own, accepted: { hash, at, by: 'person', content, before } })
  }
  // The word on one tool says nothing of the others, and of what the server adds.
  const isRevoked = record.isRevoked && name !== undefined
  return {
    record: { ...record, isRevoked, entries, acknowledged: new Set([...record.acknowledged, ...remarks]) },
    meant,
  }
}

/** What was accepted waits as it is. */
export function takeBack(record: TrustRecord, since: string): TrustRecord {
  const entries = [...record.entries].map(([key, { kind, name, accepted, waiting }]): [string, TrustEntry] => {
    const last = waiting ?? accepted
    if (last === undefined) return [key, { kind, name }]
    const { hash, content } = last
    return [key, { kind, name, waiting: { hash, content, since, reasons: [TAKEN_BACK] } }]
  })
  return { ...record, isRevoked: true, acknowledged: new Set(), entries: new Map(entries) }
}

export function withEntries(record: TrustRecord, changed: readonly TrustEntry[]): TrustRecord {
  const entries = new Map(record.entries)
  for (const entry of changed) entries.set(keyOf(entry), entry)
  return { ...record, entries }
}

/** What was judged here, put into what the file holds: what another process accepted meanwhile stays. */
export function mergeJudged(written: TrustRecord, changed: readonly TrustEntry[]): TrustRecord {
  const mayReplace = (entry: TrustEntry): boolean => {
    const accepted = written.entries.get(keyOf(entry))?.accepted
    return accepted === undefined || accepted.hash === entry.accepted?.hash
  }
  return withEntries(written, changed.filter(mayReplace))
}

/** What waits is another matter: two processes whose servers differ would take each other's word for ever. */
export function isAcceptedAlike(one: TrustRecord, other: TrustRecord): boolean {
  if (one.isRevoked !== other.isRevoked) return false
  const keys = new Set([...one.entries.keys(), ...other.entries.keys()])
  return [...keys].every((key) => one.entries.get(key)?.accepted?.hash === other.entries.get(key)?.accepted?.hash)
}
