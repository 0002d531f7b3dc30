/**
 * The side that asks: the daemon, for the agent of a window.
 *
 * Invariants
 * 1. A command is handed in whole, by one rename, and is answered at most once.
 * 2. Whoever gives up, for time or by cancelling, says so in the job before it leaves: the window stops what runs.
 * 3. A window that is gone is noticed while it is waited for, and never asked twice.
 * 4. Nothing of a job is left: the folder goes when the window is done with it, or after a grace.
 */
import { lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import {
  BRIDGE_VERSION,
  type BridgeCommand,
  BridgeError,
  type BridgeOwner,
  type BridgePaths,
  bridgePaths,
  createJobId,
  hasOwnerProcess,
  isOwnerAlive,
  MAX_ANSWER_BYTES,
  MAX_COMMAND_BYTES,
  PICKUP_MS,
  readObject,
  readOwner,
} from './layout.ts'
import { MessageReader, MessageWriter } from './message-file.ts'
import { watchClosely } from './watch.ts'

export type BridgeHealth =
  /** No window has opened this folder with the extension. */
  | { readonly state: 'none' }
  | { readonly state: 'healthy' | 'dead'; readonly owner: BridgeOwner; readonly lastSeen: number }
  /** Another window than the caller's owns the folder. */
  | { readonly state: 'other'; readonly owner: BridgeOwner; readonly lastSeen: number }

export interface BridgeRequest {
  readonly workspace: string
  /** Of the window whose agent asks; absent: any window of the folder will do. */
  readonly instance?: string | undefined
  readonly scriptName: string
  readonly params: JsonObject
  /** Milliseconds for all of it. */
  readonly timeout: number
  readonly signal: AbortSignal
  readonly traceId?: string
  /** What the command says while it runs. */
  onMessage?(message: unknown): void
}

/** A command that talks while it runs. */
export interface BridgeTalk {
  send(message: unknown): void
  /** The `data` of the answer, after all that it has said. */
  readonly ended: Promise<unknown>
}

/** Where file systems tell of changes this is never waited for. */
const POLL_MS = 100
/** For a heart that does not beat, of a window whose process is there and that somebody talks with. */
const TALK_PATIENCE_MS = 30_000
/** In which a window that was told to stop may still say that it is done. */
const FAREWELL_MS = 2_000
const UNAVAILABLE = 'E_BRIDGE_UNAVAILABLE'
const LOOK_AT_WINDOW = 'Look at the window; "Developer: Reload Window" gives it a new bridge.'
/** With what stands around the data. */
const MAX_LARGE_BYTES = MAX_ANSWER_BYTES + 1_024
let jobs = 0

/** One look at a file; `instance`: whose window it should be. */
export async function readBridgeHealth(workspace: string, instance?: string): Promise<BridgeHealth> {
  const paths = bridgePaths(workspace)
  const root = await lstat(paths.root).catch(() => undefined)
  // A window does not use a link either: it may lead to the window of another folder.
  const owner = root?.isDirectory() === true ? readOwner(paths) : undefined
  const beat = owner === undefined ? undefined : await stat(paths.host).catch(() => undefined)
  if (owner === undefined || beat === undefined) return { state: 'none' }
  const lastSeen = beat.mtimeMs
  if (!isOwnerAlive(owner, lastSeen, Date.now())) return { state: 'dead', owner, lastSeen }
  return { state: instance === undefined || owner.instance === instance ? 'healthy' : 'other', owner, lastSeen }
}

/** The `data` of the answer. Rejects with a BridgeError, or with the reason of the signal. */
export async function askBridge(request: BridgeRequest): Promise<unknown> {
  const job = await prepareJob(request)
  return job.run()
}

/** Resolves when the command is handed in. */
export async function talkToBridge(request: BridgeRequest): Promise<BridgeTalk> {
  const job = await prepareJob(request)
  await job.handIn()
  const ended = job.finish()
  ended.catch(() => undefined)
  return { send: (message) => job.writer.send(message), ended }
}

async function prepareJob(request: BridgeRequest): Promise<Job> {
  request.signal.throwIfAborted()
  const health = await readBridgeHealth(request.workspace, request.instance)
  if (health.state !== 'healthy') throw createUnavailable(health)
  return new Job(bridgePaths(request.workspace), health.owner, request)
}

class Job {
  readonly #paths: BridgePaths
  readonly #owner: BridgeOwner
  readonly #request: BridgeRequest
  readonly #id = createJobId(Date.now(), jobs++, Math.random())
  readonly #reader: MessageReader | undefined
  readonly writer: MessageWriter

  constructor(paths: BridgePaths, owner: BridgeOwner, request: BridgeRequest) {
    this.#paths = paths
    this.#owner = owner
    this.#request = request
    const { onMessage } = request
    this.writer = new MessageWriter(this.#folder, 'requests')
    this.#reader = onMessage && new MessageReader(this.#folder, 'events', (message) => onMessage(message))
  }

  get #folder(): string {
    return join(this.#paths.execute, this.#id)
  }

  async run(): Promise<unknown> {
    await this.handIn()
    return this.finish()
  }

  async finish(): Promise<unknown> {
    try {
      await this.#waitUntilDone()
      this.#reader?.read()
    } catch (error) {
      // Nobody waits for the farewell: whoever asked hears at once that it is over.
      void this.#giveUp()
      throw error
    }
    const answer = this.#readAnswer()
    await rm(this.#folder, { recursive: true, force: true })
    return answer()
  }

  async handIn(): Promise<void> {
    const { scriptName, params, timeout, traceId } = this.#request
    const command: BridgeCommand = {
      version: BRIDGE_VERSION,
      bridgeId: this.#owner.bridgeId,
      id: this.#id,
      createdAt: new Date().toISOString(),
      scriptName,
      params,
      timeout,
      ...(traceId === undefined ? {} : { traceId }),
    }
    const text = JSON.stringify(command)
    if (Buffer.byteLength(text) > MAX_COMMAND_BYTES) throw createTooLarge(scriptName, Buffer.byteLength(text))
    const draft = join(this.#paths.drafts, this.#id)
    try {
      await mkdir(draft, { mode: 0o700 })
      await writeFile(join(draft, 'command.json'), text, { mode: 0o600, flag: 'wx' })
      await rename(draft, this.#folder)
    } catch (error) {
      await rm(draft, { recursive: true, force: true }).catch(() => undefined)
      const code = errorCode(error) ?? String(error)
      throw new BridgeError(UNAVAILABLE, `The command cannot be written into ${this.#paths.root}: ${code}`, {
        hint: code === 'ENOSPC' ? 'The disk is full: make room, and ask again.' : LOOK_AT_WINDOW,
      })
    }
  }

  async #waitUntilDone(): Promise<void> {
    const { signal, timeout } = this.#request
    const begun = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let isClaimed = false
    let isLooking = false
    let wantsLook = false
    const look = async (): Promise<void> => {
      if (await exists(join(this.#folder, 'done'))) return resolve()
      isClaimed ||= await exists(join(this.#folder, 'claimed.json'))
      const waited = performance.now() - begun
      if (waited >= timeout) return reject(createTimeout(this.#request))
      if (!isClaimed && waited >= PICKUP_MS) return reject(createPickupTimeout())
      const health = await readBridgeHealth(this.#request.workspace)
      if (health.state !== 'none' && health.owner.bridgeId === this.#owner.bridgeId) {
        if (health.state !== 'dead') return
        // A session of hours is not given up because a machine is busy for a moment: its window is there.
        const isPatient = this.#reader !== undefined && hasOwnerProcess(this.#owner)
        if (isPatient && Date.now() - health.lastSeen < TALK_PATIENCE_MS) return
      }
      // It may have been done with its last breath.
      if (await exists(join(this.#folder, 'done'))) resolve()
      else reject(createDeath(this.#owner, isClaimed))
    }
    const onChange = (): void => {
      this.#reader?.read()
      // What changes while we look may be what we look for.
      wantsLook = isLooking
      if (isLooking) return
      isLooking = true
      look()
        .catch(reject)
        .finally(() => {
          isLooking = false
          if (wantsLook) onChange()
        })
    }
    const onAbort = (): void => reject(signal.reason)
    const watcher = watchClosely(this.#folder, POLL_MS, onChange)
    signal.addEventListener('abort', onAbort)
    // It may have come while the command was handed in.
    if (signal.aborted) onAbort()
    onChange()
    try {
      await promise
    } finally {
      watcher.close()
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Never rejects: what was asked is over for whoever asked. */
  async #giveUp(): Promise<void> {
    try {
      await writeFile(join(this.#folder, 'cancel'), '', { mode: 0o600, flag: 'wx' })
      const end = performance.now() + FAREWELL_MS
      // One that nobody has claimed is taken back by the rename below, which no claim survives.
      while (performance.now() < end && (await exists(join(this.#folder, 'claimed.json')))) {
        if (await exists(join(this.#folder, 'done'))) break
        await delay(POLL_MS)
      }
      const taken = join(this.#paths.drafts, this.#id)
      await rename(this.#folder, taken)
      await rm(taken, { recursive: true, force: true })
    } catch {
      // The window, or somebody else, has cleared it away already.
    }
  }

  /** Read before the folder goes; a failure is thrown when it is called. */
  #readAnswer(): () => unknown {
    const error = readObject(join(this.#folder, 'error.json'), this.#paths.root, MAX_ANSWER_BYTES)
    if (error !== undefined) return () => throwFailure(error)
    const response = readObject(join(this.#folder, 'response.json'), this.#paths.root, MAX_ANSWER_BYTES)
    // Never by a name that the answer gives: there is one such file.
    const isLarge = response?.dataRef !== undefined
    const answer = isLarge ? readObject(join(this.#folder, 'data.json'), this.#paths.root, MAX_LARGE_BYTES) : response
    if (answer !== undefined) return () => answer.data
    return () => {
      throw new BridgeError('E_NO_RESPONSE', 'The VS Code window is done and has left no answer that can be read', {
        hint: 'What was asked may be done. Is the disk full? The log of the window tells more.',
      })
    }
  }
}

function throwFailure({ code, message, hint, details }: JsonObject): never {
  throw new BridgeError(
    typeof code === 'string' ? code : 'E_INTERNAL',
    typeof message === 'string' ? message : 'The VS Code window failed',
    { ...(typeof hint === 'string' ? { hint } : {}), ...(isJsonObject(details) ? { details } : {}) },
  )
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined
}

export function describeHealth(health: BridgeHealth): string {
  switch (health.state) {
    case 'none':
      return 'No VS Code window with the Switchboard extension has this folder open'
    case 'dead':
      return `The VS Code window of this folder is gone (last seen ${new Date(health.lastSeen).toISOString()})`
    case 'other':
      return `Another VS Code window, ${health.owner.instance}, owns the bridge of this folder`
    case 'healthy':
      return `The VS Code window ${health.owner.instance} answers`
  }
}

function createUnavailable(health: BridgeHealth): BridgeError {
  const hint =
    health.state === 'other'
      ? 'Ask in that window, or close it: this one takes the bridge over.'
      : 'Open the folder in VS Code with the Switchboard extension, and trust it; bridge_status tells when it answers.'
  return new BridgeError(UNAVAILABLE, describeHealth(health), { hint })
}

function createDeath(owner: BridgeOwner, isClaimed: boolean): BridgeError {
  const what = isClaimed ? 'while it ran this; what it did until then is done' : 'before it had begun'
  const end = hasOwnerProcess(owner) ? 'does not answer any more: it stopped' : 'ended'
  return new BridgeError(UNAVAILABLE, `The VS Code window ${end} ${what}. It is not run again by itself`, {
    hint: 'See with bridge_status whether a window answers again, and what was done, before you ask again.',
  })
}

function createPickupTimeout(): BridgeError {
  const seconds = PICKUP_MS / 1000
  return new BridgeError('E_PICKUP_TIMEOUT', `The VS Code window did not take the command within ${seconds} s`, {
    hint: `It was taken back, and is not run. ${LOOK_AT_WINDOW}`,
  })
}

function createTooLarge(scriptName: string, bytes: number): BridgeError {
  const limit = `at most ${MAX_COMMAND_BYTES} can be handed to a VS Code window`
  return new BridgeError('E_LARGE_DATA', `The parameters of ${scriptName} have ${bytes} bytes; ${limit}`)
}

function createTimeout({ timeout, scriptName }: BridgeRequest): BridgeError {
  return new BridgeError('E_TIMEOUT', `${scriptName} was not done within ${timeout} ms; the window was told to stop it`)
}
