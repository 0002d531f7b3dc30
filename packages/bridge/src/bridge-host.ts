/**
 * The side that answers: the extension of a VS Code window, and how it comes to own a folder.
 *
 * Invariants
 * 1. One window owns a folder. Another one says so, and takes it over when the owner is gone.
 * 2. What was there before this host began is never run.
 * 3. What lies in the folder and is no job of ours is left alone, and stops nobody.
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { errorMessage } from '@switchboard/base'
import { JobRunner, type JobRunnerOptions } from './job-runner.ts'
import {
  BEAT_MS,
  BRIDGE_VERSION,
  type BridgeOwner,
  type BridgePaths,
  bridgePaths,
  DEAD_AFTER_MS,
  isJobId,
  isOwnerAlive,
  MACHINE,
  readOwner,
} from './layout.ts'
import { clearBeforeStart, SWEEP_EVERY_MS, sweepOldJobs } from './retention.ts'
import { watchClosely } from './watch.ts'
import { writeExclusively } from './write-exclusively.ts'

export type BridgeHostState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'owner' }
  /** Undefined: nobody can be told, since the folder cannot be written. */
  | { readonly kind: 'waiting'; readonly owner: BridgeOwner | undefined; readonly reason: string }

export interface BridgeHostOptions extends JobRunnerOptions {
  readonly workspace: string
  readonly instance: string
  onDidChange?(state: BridgeHostState): void
}

export class BridgeHost {
  readonly #options: BridgeHostOptions
  readonly #paths: BridgePaths
  /** New each time, so that no command that was written in advance can name it. */
  readonly #bridgeId = `extHost-${randomBytes(16).toString('hex')}`
  readonly #runner: JobRunner
  readonly #seen = new Set<string>()
  #state: BridgeHostState = { kind: 'closed' }
  #heart: NodeJS.Timeout | undefined
  #watcher: { close(): void } | undefined
  #sweepAt = 0
  /** A window of another machine that owns the folder: its last beat, and when we first saw that. */
  #other: { readonly bridgeId: string; readonly beat: number; readonly seenAt: number } | undefined

  constructor(options: BridgeHostOptions) {
    this.#options = options
    this.#paths = bridgePaths(options.workspace)
    this.#runner = new JobRunner({ ...options, paths: this.#paths, bridgeId: this.#bridgeId })
  }

  get state(): BridgeHostState {
    return this.#state
  }

  start(): void {
    this.#beat()
    this.#heart = setInterval(() => this.#beat(), BEAT_MS)
  }

  /** What runs is aborted. Waits for nothing. */
  close(): void {
    clearInterval(this.#heart)
    this.#watcher?.close()
    this.#runner.close()
    try {
      if (this.#state.kind === 'owner' && this.#isStillOurs()) {
        rmSync(this.#paths.host, { force: true })
        rmSync(this.#paths.lock, { force: true })
      }
    } catch {
      // The folder cannot be written any more: its heart stands still, which says the same.
    }
    this.#enter({ kind: 'closed' })
  }

  #beat(): void {
    try {
      if (this.#state.kind !== 'owner') this.#tryToOwn()
      else if (this.#isStillOurs()) this.#keep()
      else this.#lose()
    } catch (error) {
      this.#lose()
      this.#enter({ kind: 'waiting', owner: undefined, reason: `The folder cannot be used: ${errorMessage(error)}` })
    }
  }

  #tryToOwn(): void {
    const { root, lock } = this.#paths
    // A link in a repository would lead our files elsewhere.
    if (!isFolder(root)) throw new Error(`${root} is no folder`)
    mkdirSync(root, { recursive: true, mode: 0o700 })
    const owner = readOwner(this.#paths, lock)
    if (owner !== undefined && this.#isAlive(owner)) {
      this.#enter({ kind: 'waiting', owner, reason: `The window ${owner.instance} owns it` })
      return
    }
    // Of a window that is gone, or nothing that a window of ours wrote.
    rmSync(lock, { recursive: true, force: true })
    if (!writeExclusively(lock, this.#describe())) return
    try {
      this.#takeOver()
    } catch (error) {
      rmSync(lock, { force: true })
      throw error
    }
  }

  /** A process of another machine cannot be seen, and its clock may be another: it is alive while its heart is seen to beat. */
  #isAlive(owner: BridgeOwner): boolean {
    const { host, lock } = this.#paths
    const { mtimeMs: beat } =
      lstatSync(host, { throwIfNoEntry: false }) ?? lstatSync(lock, { throwIfNoEntry: false }) ?? {}
    if (beat === undefined) return false
    if (owner.machine === MACHINE) return isOwnerAlive(owner, beat, Date.now())
    const now = performance.now()
    const isNew = this.#other?.bridgeId !== owner.bridgeId || this.#other.beat !== beat
    if (isNew) this.#other = { bridgeId: owner.bridgeId, beat, seenAt: now }
    return now - (this.#other?.seenAt ?? now) < DEAD_AFTER_MS
  }

  #takeOver(): void {
    const { root, lock, host, ignore, drafts, execute } = this.#paths
    throwIfOfAnother(root, lock)
    for (const folder of [drafts, execute]) {
      // Of a link the link itself goes.
      if (!isFolder(folder)) rmSync(folder, { force: true })
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      throwIfOfAnother(folder, lock)
    }
    // Whatever a host before us was asked for is not run by us.
    clearBeforeStart(this.#paths)
    this.#sweepAt = Date.now() + SWEEP_EVERY_MS
    // Never through a link that a repository has put there.
    rmSync(ignore, { recursive: true, force: true })
    writeExclusively(ignore, '*\n')
    rmSync(host, { recursive: true, force: true })
    writeExclusively(host, this.#describe())
    this.#watcher = watchClosely(execute, BEAT_MS, () => this.#look())
    this.#enter({ kind: 'owner' })
  }

  /** What is ours: beats, looks for what no file system told of, and clears away what is old. */
  #keep(): void {
    const now = new Date()
    utimesSync(this.#paths.host, now, now)
    if (now.getTime() < this.#sweepAt) return
    this.#sweepAt = now.getTime() + SWEEP_EVERY_MS
    sweepOldJobs(this.#paths, now.getTime(), (id) => this.#runner.isRunning(id))
  }

  #isStillOurs(): boolean {
    return (
      readOwner(this.#paths, this.#paths.lock)?.bridgeId === this.#bridgeId &&
      readOwner(this.#paths)?.bridgeId === this.#bridgeId
    )
  }

  /** Somebody has taken the folder away, or over. */
  #lose(): void {
    this.#watcher?.close()
    this.#watcher = undefined
    if (this.#state.kind === 'owner')
      this.#enter({ kind: 'waiting', owner: undefined, reason: 'The folder was taken away' })
  }

  #describe(): string {
    const { instance, workspace } = this.#options
    const { pid, platform } = process
    const startedAt = new Date().toISOString()
    return JSON.stringify({
      version: BRIDGE_VERSION,
      bridgeId: this.#bridgeId,
      instance,
      pid,
      machine: MACHINE,
      platform,
      workspace,
      startedAt,
    })
  }

  #look(): void {
    if (this.#state.kind !== 'owner') return
    let names: string[]
    try {
      names = readdirSync(this.#paths.execute)
    } catch {
      // The heart notices when the folder is gone.
      return
    }
    for (const id of names) {
      if (this.#seen.has(id) || !isJobId(id)) continue
      this.#seen.add(id)
      void this.#runner.take(id)
    }
    // Only what is still there can come up again.
    for (const id of this.#seen) if (!names.includes(id)) this.#seen.delete(id)
  }

  #enter(state: BridgeHostState): void {
    const isSame = JSON.stringify(state) === JSON.stringify(this.#state)
    this.#state = state
    if (!isSame) this.#options.onDidChange?.(state)
  }
}

/** Whoever owns the folder could answer for this window. `own`: a file that we have just made there. */
function throwIfOfAnother(folder: string, own: string): void {
  // Some file systems say of everything that it is one user's.
  const { uid } = lstatSync(folder)
  if (uid === lstatSync(own).uid || process.getuid?.() === 0) return
  throw new Error(`${folder} belongs to another user (${uid}): remove it, and it is made anew`)
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true
}
