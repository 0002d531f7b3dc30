/** What a person is told of one server's definitions. */
import type { DiffLine } from '@switchboard/base'
import type { DefinitionKind } from './definition.ts'
import { diffDefinitions } from './describe-definition.ts'
import type { Remark } from './find-remarks.ts'
import type { DefinitionPolicy } from './judge-definitions.ts'
import type { TrustEntry, TrustRecord } from './trust-record.ts'

/** More nobody reads, and each takes its time. */
const MAX_DIFFS = 200

/** One definition that waits for a person. */
export interface WaitingReport {
  readonly kind: DefinitionKind
  readonly name: string
  readonly reasons: readonly string[]
  readonly since: string
  readonly hash: string
  /** False: it is shown all the same, as the configuration says. */
  readonly isHeld: boolean
  readonly diff?: readonly DiffLine[]
}

export interface ServerTrust {
  readonly server: string
  /** False: there is a record of it, and no server any more. */
  readonly isConfigured: boolean
  readonly policy: DefinitionPolicy
  /** When it was first seen; null: it was never. */
  readonly since: string | null
  readonly isRevoked: boolean
  /** How many definitions are accepted as they are. */
  readonly accepted: number
  readonly waiting: readonly WaitingReport[]
  /** What there is to know of it besides; nothing is held back for it. Gone once it is accepted. */
  readonly remarks: readonly Pick<Remark, 'id' | 'name' | 'text'>[]
}

export interface ReportOptions {
  readonly isConfigured: boolean
  readonly policy: DefinitionPolicy
  /** With what differs. */
  readonly isWhole: boolean
  /** By `keyOf`: whether the server still has it. Default: it does. */
  readonly isOffered?: (key: string) => boolean
  readonly remarks?: readonly Remark[]
}

export function toReport(
  record: TrustRecord,
  { isConfigured, policy, isWhole, isOffered = () => true, remarks = [] }: ReportOptions,
): ServerTrust {
  const entries = [...record.entries].flatMap(([key, entry]) => (isOffered(key) ? [entry] : []))
  const isHeld = policy !== 'off' && (record.isRevoked || policy !== 'warn')
  return {
    server: record.server,
    isConfigured,
    policy,
    since: entries.length === 0 ? null : record.since,
    isRevoked: record.isRevoked,
    accepted: entries.filter((entry) => entry.waiting === undefined).length,
    waiting: entries
      .filter((entry) => entry.waiting !== undefined)
      .flatMap((entry, at) => toWaiting(entry, isHeld, isWhole && at < MAX_DIFFS)),
    remarks: remarks.map(({ id, name, text }) => ({ id, name, text })),
  }
}

export function toWaiting(
  { kind, name, accepted, waiting }: TrustEntry,
  isHeld: boolean,
  isWhole: boolean,
): WaitingReport[] {
  if (waiting === undefined) return []
  const { reasons, since, hash, content } = waiting
  const diff = isWhole ? { diff: diffDefinitions(accepted?.content, content) } : {}
  return [{ kind, name, reasons, since, hash, isHeld, ...diff }]
}

/** What is told of a server beside its state. */
export interface TrustSummary {
  readonly server: string
  /** Definitions that nobody gets. */
  readonly held: number
  /** Definitions that wait to be looked at, and are shown. */
  readonly waiting: number
  readonly remarks: number
}

/** "3 of its definitions are held back; switchboard trust list files shows why" */
export function describeTrust({ server, held, waiting, remarks }: TrustSummary): string {
  const parts = [
    ...(held === 0 ? [] : [`${held} of its definitions ${held === 1 ? 'is' : 'are'} held back`]),
    ...(waiting === 0 ? [] : [`${waiting} of its definitions changed`]),
    ...(remarks === 0 ? [] : [`there ${remarks === 1 ? 'is 1 remark' : `are ${remarks} remarks`} on it`]),
  ]
  return `${parts.join(', ')}: switchboard trust list ${server}`
}
