/**
 * The side that answers: the extension of a VS Code window.
 *
 * Invariants
 * 1. One window owns a folder. Another one says so, and takes it over when the owner is gone.
 * 2. A job is run at most once: whoever claims it runs it, and what was there before this host began is never run.
 * 3. `cancel`, a time limit and the end of the window abort the script that runs; its answer, if any, is written after that.
 * 4. What lies in the folder and is no job of ours is left alone, and stops nobody.
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, errorMessage, writeFileAtomically } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import {
  BEAT_MS,
  BRIDGE_VERSION,
  type BridgeCommand,
  BridgeError,
  type BridgeFailure,
  type BridgeOwner,
  type BridgePaths,
  bridgePaths,
  isJobId,
  isOwnerAlive,
  MAX_COMMAND_BYTES,
  readObject,
  readOwner,
} from './layout.ts'
import { watchClosely } from './watch.ts'

/** What a command does. The signal's reason is what is answered when it is aborted. */
export type BridgeScript = (params: JsonObject, signal: AbortSignal) => Promise<unknown>

export type BridgeHostState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'owner' }
  /** Undefined: nobody can be told, since the folder cannot be written. */
  | { readonly kind: 'waiting'; readonly owner: BridgeOwner | undefined; readonly reason: string }

export interface BridgeHostOptions {
  readonly workspace: string
  readonly instance: string
  readonly scripts: Readonly<Record<string, BridgeScript>>
  onDidChange?(state: BridgeHostState): void
  /** A command was answered. */
  onRan?(command: BridgeCommand, failure: BridgeFailure | undefined, durationMs: number): void
}

const MAX_AT_ONCE = 10
const CANCEL_POLL_MS = 100

export class BridgeHost {
  readonly #options: BridgeHostOptions
  readonly #paths: BridgePaths
  /** New each time, so that no command that was written in advance can name it. */
  readonly #bridgeId = `extHost-${randomBytes(16).toString('hex')}`
  readonly #running = new Map<string, AbortController>()
  readonly #seen = new Set<string>()
  #state: BridgeHostState = { kind: 'closed' }
  #heart: NodeJS.Timeout | undefined
  #watcher: { close(): void } | undefined

  constructor(options: BridgeHostOptions) {
    this.#options = options
    this.#paths = bridgePaths(options.workspace)
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
    for (const [id, running] of this.#running) {
      running.abort(new BridgeError('E_CANCELLED', `${id} was cancelled: the VS Code window is closing`))
    }
    if (this.#state.kind === 'owner' && this.#isStillOurs()) {
      rmSync(this.#paths.host, { force: true })
      rmSync(this.#paths.lock, { force: true })
    }
    this.#enter({ kind: 'closed' })
  }

  #beat(): void {
    try {
      if (this.#state.kind !== 'owner') this.#tryToOwn()
      else if (this.#isStillOurs()) this.#touch()
      else this.#lose()
    } catch (error) {
      this.#lose()
      this.#enter({ kind: 'waiting', owner: undefined, reason: `The folder cannot be used: ${errorMessage(error)}` })
    }
  }

  #tryToOwn(): void {
    const { root, lock, host, ignore, drafts, execute } = this.#paths
    throwOnLink(root)
    mkdirSync(root, { recursive: true, mode: 0o700 })
    const owner = readOwner(this.#paths, lock)
    const beat =
      lstatSync(host, { throwIfNoEntry: false })?.mtimeMs ?? lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (owner !== undefined && beat !== undefined && isOwnerAlive(owner, beat, Date.now())) {
      this.#enter({ kind: 'waiting', owner, reason: `The window ${owner.instance} owns it` })
      return
    }
    // Of a window that is gone, or nothing that a window of ours wrote.
    rmSync(lock, { recursive: true, force: true })
    if (!writeExclusively(lock, this.#describe())) return
    for (const folder of [drafts, execute]) {
      throwOnLink(folder)
      // Whatever a host before us was asked for is not run by us.
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    }
    // Never through a link that a repository has put there.
    rmSync(ignore, { recursive: true, force: true })
    writeExclusively(ignore, '*\n')
    rmSync(host, { recursive: true, force: true })
    writeExclusively(host, this.#describe())
    this.#watcher = watchClosely(execute, BEAT_MS, () => this.#look())
    this.#enter({ kind: 'owner' })
  }

  #touch(): void {
    const now = new Date()
    utimesSync(this.#paths.host, now, now)
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
      void this.#take(id)
    }
    // Only what is still there can come up again.
    for (const id of this.#seen) if (!names.includes(id)) this.#seen.delete(id)
  }

  async #take(id: string): Promise<void> {
    const folder = join(this.#paths.execute, id)
    try {
      if (!lstatSync(folder).isDirectory()) return
      const command = readCommand(readObject(join(folder, 'command.json'), this.#paths.root, MAX_COMMAND_BYTES))
      if (command === undefined || command.id !== id || command.bridgeId !== this.#bridgeId) return
      if (!writeExclusively(join(folder, 'claimed.json'), this.#describe())) return
      await this.#run(command, folder)
    } catch (error) {
      // The folder was taken back, or the disk is full: whoever asked notices by its own clock.
      if (errorCode(error) === undefined) throw error
    }
  }

  async #run(command: BridgeCommand, folder: string): Promise<void> {
    const begun = performance.now()
    const abort = new AbortController()
    const { id, scriptName, params, timeout } = command
    this.#running.set(id, abort)
    const timer = setTimeout(
      () => abort.abort(new BridgeError('E_TIMEOUT', `${scriptName} took longer than ${timeout} ms`)),
      timeout,
    )
    const cancel = watchClosely(folder, CANCEL_POLL_MS, () => {
      const isCancelled = lstatSync(join(folder, 'cancel'), { throwIfNoEntry: false }) !== undefined
      if (isCancelled) abort.abort(new BridgeError('E_CANCELLED', `${scriptName} was cancelled`))
    })
    let failure: BridgeFailure | undefined
    try {
      const data = await this.#answer(scriptName, params, abort.signal)
      await writeFileAtomically(join(folder, 'response.json'), JSON.stringify({ ok: true, data: data ?? null }))
    } catch (error) {
      failure = describeFailure(error)
      await writeFileAtomically(join(folder, 'error.json'), JSON.stringify(failure))
    } finally {
      clearTimeout(timer)
      cancel.close()
      this.#running.delete(id)
    }
    writeExclusively(join(folder, 'done'), '')
    this.#options.onRan?.(command, failure, performance.now() - begun)
  }

  async #answer(name: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    if (this.#running.size > MAX_AT_ONCE) {
      throw new BridgeError('E_CAPACITY', `The VS Code window runs ${MAX_AT_ONCE} commands already; ask again`)
    }
    const { scripts } = this.#options
    const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
    if (script === undefined) {
      throw new BridgeError('E_SCRIPT_NOT_FOUND', `The extension of this window does not know ${name}`, {
        hint: 'Update the Switchboard extension, and reload the window.',
      })
    }
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    aborted.catch(() => undefined)
    try {
      return await Promise.race([script(params, signal), aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  #enter(state: BridgeHostState): void {
    const isSame = JSON.stringify(state) === JSON.stringify(this.#state)
    this.#state = state
    if (!isSame) this.#options.onDidChange?.(state)
  }
}

/** A link in a repository would lead our files elsewhere. */
function throwOnLink(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory()) throw new Error(`${folder} is no folder`)
}

/** False: it is there already. */
function writeExclusively(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

function readCommand(value: JsonObject | undefined): BridgeCommand | undefined {
  if (value === undefined) return undefined
  const { version, bridgeId, id, createdAt, scriptName, params, timeout, traceId } = value
  const isRight =
    version === BRIDGE_VERSION &&
    [bridgeId, id, createdAt, scriptName].every((text) => typeof text === 'string') &&
    isJsonObject(params) &&
    typeof timeout === 'number' &&
    timeout > 0 &&
    timeout <= 2 ** 31 - 1 &&
    (traceId === undefined || typeof traceId === 'string')
  // Every member was just looked at.
  return isRight ? (value as unknown as BridgeCommand) : undefined
}

function describeFailure(error: unknown): BridgeFailure {
  if (!(error instanceof BridgeError)) return { code: 'E_OPERATION_FAILED', message: errorMessage(error) }
  const { code, message, hint, details } = error
  return { code, message, ...(hint === undefined ? {} : { hint }), ...(details === undefined ? {} : { details }) }
}
