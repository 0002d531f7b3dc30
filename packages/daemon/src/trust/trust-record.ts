/**
 * What is kept of one server under one command or address: its definitions as they were accepted, and those that wait for a
 * person. One file each; read strictly, for a file that was damaged must not pass for a server that was never seen.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { DefinitionKind } from './definition.ts'

export interface AcceptedDefinition {
  readonly hash: string
  /** ISO 8601, as the others. */
  readonly at: string
  /** By being the first that was seen, or by a person's word. */
  readonly by: 'first-use' | 'person'
  readonly content: JsonObject
  /** Hashes of what was accepted before it, the last one first: a server that goes back to one is not held up for it. */
  readonly before: readonly string[]
}

export interface WaitingDefinition {
  readonly hash: string
  readonly since: string
  /** Half sentences: "its description changed". */
  readonly reasons: readonly string[]
  readonly content: JsonObject
}

export interface TrustEntry {
  readonly kind: DefinitionKind
  readonly name: string
  readonly accepted?: AcceptedDefinition | undefined
  readonly waiting?: WaitingDefinition | undefined
}

export interface TrustRecord {
  readonly server: string
  /** Of the command or address; see `identifyServer`. */
  readonly identity: string
  readonly since: string
  /** A person took it back: all of it waits. */
  readonly isRevoked: boolean
  /** It was seen under this name with another command or address before. */
  readonly replaces?: string | undefined
  /** By `keyOf`. */
  readonly entries: ReadonlyMap<string, TrustEntry>
  /** Ids of remarks that a person has seen. */
  readonly acknowledged: ReadonlySet<string>
}

const VERSION = 1

export function formatTrustRecord(record: TrustRecord): string {
  const { entries, acknowledged, ...rest } = record
  const written = { version: VERSION, ...rest, acknowledged: [...acknowledged], entries: [...entries.values()] }
  return `${JSON.stringify(written, null, 1)}\n`
}

/** Throws `invalid_configuration`. */
export function parseTrustRecord(content: string, file: string): TrustRecord {
  const value = parse(content, file)
  if (!isJsonObject(value) || value.version !== VERSION) throw refuse(file, `it is no object of version ${VERSION}`)
  const { server, identity, since, isRevoked, replaces, entries, acknowledged } = value
  const isWhole =
    typeof server === 'string' && typeof identity === 'string' && typeof since === 'string' && Array.isArray(entries)
  if (!isWhole || !isTexts(acknowledged)) throw refuse(file, 'a member is missing or wrong')
  const read = entries.map((entry: unknown, index): [string, TrustEntry] => {
    if (!isEntry(entry)) throw refuse(file, `its entry ${index} is no definition`)
    return [`${entry.kind}:${entry.name}`, entry]
  })
  return {
    server,
    identity,
    since,
    isRevoked: isRevoked === true,
    ...(typeof replaces === 'string' ? { replaces } : {}),
    entries: new Map(read),
    acknowledged: new Set(acknowledged),
  }
}

function parse(content: string, file: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw refuse(file, 'it is not JSON')
  }
}

function isEntry(value: unknown): value is TrustEntry & JsonObject {
  if (!isJsonObject(value)) return false
  const { kind, name, accepted, waiting } = value
  return (
    (kind === 'tool' || kind === 'prompt' || kind === 'instructions') &&
    typeof name === 'string' &&
    (accepted === undefined || isAccepted(accepted)) &&
    (waiting === undefined || isWaiting(waiting))
  )
}

function isAccepted(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { hash, at, by, content, before } = value
  const isKnownWay = by === 'first-use' || by === 'person'
  return isText(hash) && isText(at) && isKnownWay && isJsonObject(content) && isTexts(before)
}

function isWaiting(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { hash, since, reasons, content } = value
  return isText(hash) && isText(since) && isTexts(reasons) && isJsonObject(content)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText)
}

function refuse(file: string, why: string): SwitchboardError {
  return new SwitchboardError('invalid_configuration', `What was accepted of a server, ${file}, is damaged: ${why}`, {
    hint: 'All of that server is held back. `switchboard trust accept <name>` begins anew.',
  })
}
