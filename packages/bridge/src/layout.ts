/**
 * What lies in `<workspace>/.vsc-bridge`, and how old it may be:
 *
 *   .gitignore          "*"
 *   host.lock           made by the window that owns the folder, and by no second one
 *   host.json           who that is; its time is its heartbeat
 *   drafts/<job>/       a job before it is handed in, and after it was taken back
 *   execute/<job>/      command.json (whoever asks, complete before it is here) · claimed.json (the window, exclusively: it runs
 *                       a job at most once) · cancel (whoever asks) · response.json, with data.json where the answer is large,
 *                       or error.json · done (the window, last) · keep (a person: it stays) · dlq (a window that found it cut off);
 *                       of a command that talks while it runs requests-<n>.ndjson (whoever asks) and events-<n>.ndjson (the window)
 *
 * A workspace is a repository's, and what lies in it may be anybody's: every file is read as one that others name. A command counts
 * only with the id of the host that runs, which is new and unknown each time: nothing that was put there in advance is run.
 */
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ForeignFileError, isProcessAlive, readForeignText } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export const BRIDGE_FOLDER = '.vsc-bridge'
export const BRIDGE_VERSION = 1

/** Between two beats of the host's heart. */
export const BEAT_MS = 1_000
/** After so long without one it is dead. */
export const DEAD_AFTER_MS = 4_000
/** In which a job must be claimed. */
export const PICKUP_MS = 5_000
/** More is no command of ours. */
export const MAX_COMMAND_BYTES = 4 * 1024 * 1024
/** More goes into a file of its own, so that the answer itself stays readable for a person. */
export const LARGE_ANSWER_BYTES = 2 * 1024 * 1024
/** More is no answer of ours. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024

export interface BridgePaths {
  readonly root: string
  readonly ignore: string
  readonly lock: string
  readonly host: string
  readonly drafts: string
  readonly execute: string
}

export function bridgePaths(workspace: string): BridgePaths {
  const root = join(workspace, BRIDGE_FOLDER)
  return {
    root,
    ignore: join(root, '.gitignore'),
    lock: join(root, 'host.lock'),
    host: join(root, 'host.json'),
    drafts: join(root, 'drafts'),
    execute: join(root, 'execute'),
  }
}

export interface BridgeOwner {
  readonly bridgeId: string
  readonly instance: string
  readonly pid: number
  /** Where that pid means something. */
  readonly machine: string
}

/** A folder can be shared with a container or another machine, whose processes have numbers of their own. */
export const MACHINE = describeMachine()

export interface BridgeCommand {
  readonly version: number
  readonly bridgeId: string
  readonly id: string
  readonly createdAt: string
  readonly scriptName: string
  readonly params: JsonObject
  /** Milliseconds. */
  readonly timeout: number
  readonly traceId?: string
}

export interface BridgeFailure {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly details?: JsonObject
}

/** Thrown by both sides: a code that reaches the agent as it is. */
export class BridgeError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly details: JsonObject | undefined

  constructor(code: string, message: string, { hint, details }: { hint?: string; details?: JsonObject } = {}) {
    super(message)
    this.name = 'BridgeError'
    this.code = code
    this.hint = hint
    this.details = details
  }
}

const JOB_ID = /^\d{8}T\d{9}Z-\d{4}-[0-9a-f]{4}$/

/** Sorts by time, and can be a name on every system. */
export function createJobId(now: number, sequence: number, random: number): string {
  const time = new Date(now).toISOString().replace(/[-:.]/g, '')
  const count = String(sequence % 10_000).padStart(4, '0')
  return `${time}-${count}-${Math.floor(random * 0x10000)
    .toString(16)
    .padStart(4, '0')}`
}

export function isJobId(name: string): boolean {
  return JOB_ID.test(name)
}

/** Undefined: it is not there, is no plain file inside the folder, or holds no object. */
export function readObject(file: string, root: string, maxBytes: number): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(readForeignText(file, { maxBytes, root }))
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof ForeignFileError || error instanceof SyntaxError) return undefined
    throw error
  }
}

export function readOwner(paths: BridgePaths, file: string = paths.host): BridgeOwner | undefined {
  const value = readObject(file, paths.root, MAX_COMMAND_BYTES)
  if (value === undefined) return undefined
  const { bridgeId, instance, pid, version, machine } = value
  if (version !== BRIDGE_VERSION || [bridgeId, instance, machine].some((text) => typeof text !== 'string'))
    return undefined
  const isOwner = typeof pid === 'number' && Number.isInteger(pid) && pid > 0
  // Every member was just looked at.
  return isOwner ? ({ bridgeId, instance, pid, machine } as BridgeOwner) : undefined
}

/**
 * `beat`: when its heart last beat, in ms since 1970. Of a process that we cannot see a beat of the future counts as little as an old
 * one: an archive may bring a file with any time, and it would never grow old.
 */
export function isOwnerAlive(owner: BridgeOwner, beat: number, now: number): boolean {
  const isForeign = owner.machine !== MACHINE
  return hasOwnerProcess(owner) && (isForeign ? Math.abs(now - beat) : now - beat) < DEAD_AFTER_MS
}

/** One that we cannot see is there as long as its heart beats. */
export function hasOwnerProcess({ pid, machine }: BridgeOwner): boolean {
  return machine !== MACHINE || isProcessAlive(pid)
}

function describeMachine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // Only Linux has more than one numbering of processes.
    return hostname()
  }
}
