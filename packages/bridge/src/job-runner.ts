/**
 * Runs the jobs of a folder that this window owns.
 *
 * Invariants
 * 1. A job is run at most once: whoever claims it runs it.
 * 2. What is claimed is answered, in its turn: more than ten at once wait, and none is sent away for that.
 * 3. `cancel`, a time limit, the loss of its folder and the end of the window abort a script, also one that waits for its turn; its
 *    answer, if any, is written after that.
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, errorMessage, writeFileAtomically } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import {
  BRIDGE_VERSION,
  type BridgeCommand,
  BridgeError,
  type BridgeFailure,
  type BridgePaths,
  LARGE_ANSWER_BYTES,
  MAX_ANSWER_BYTES,
  MAX_COMMAND_BYTES,
  readObject,
} from './layout.ts'
import { MessageReader, MessageWriter } from './message-file.ts'
import { RunSlots } from './run-slots.ts'
import { watchClosely } from './watch.ts'
import { writeExclusively } from './write-exclusively.ts'

/** What a command does. The signal's reason is what is answered when it is aborted. */
export type BridgeScript = (params: JsonObject, signal: AbortSignal) => Promise<unknown>

/** Between a command that goes on for long and whoever asked for it. Messages arrive once, in their order. */
export interface BridgeChannel {
  send(message: unknown): void
  /** Set at once, before the script first waits. */
  onMessage: (message: unknown) => void
}

/** A command that talks while it runs. */
export type BridgeDialogue = (params: JsonObject, signal: AbortSignal, channel: BridgeChannel) => Promise<unknown>

export interface JobRunnerOptions {
  readonly scripts: Readonly<Record<string, BridgeScript>>
  /** They last, and take no place of the others. */
  readonly dialogues?: Readonly<Record<string, BridgeDialogue>>
  /** A command was answered. */
  onRan?(command: BridgeCommand, failure: BridgeFailure | undefined, durationMs: number): void
}

const MAX_AT_ONCE = 10
/** An agent has a few at once. More than this is a fault that nobody waits for. */
const MAX_WAITING = 1_000
const MAX_DIALOGUES = 64
const CANCEL_POLL_MS = 100

export class JobRunner {
  readonly #options: JobRunnerOptions & { readonly paths: BridgePaths; readonly bridgeId: string }
  /** Those that wait as well. */
  readonly #running = new Map<string, AbortController>()
  readonly #slots = new RunSlots(MAX_AT_ONCE)
  #dialogues = 0

  constructor(options: JobRunnerOptions & { readonly paths: BridgePaths; readonly bridgeId: string }) {
    this.#options = options
  }

  isRunning(id: string): boolean {
    return this.#running.has(id)
  }

  /** What runs is aborted. */
  close(): void {
    for (const [id, running] of this.#running) {
      running.abort(new BridgeError('E_CANCELLED', `${id} was cancelled: the VS Code window is closing`))
    }
  }

  /** Never rejects for what is in the folder, or for a disk that is full. */
  async take(id: string): Promise<void> {
    const { paths, bridgeId } = this.#options
    const folder = join(paths.execute, id)
    try {
      if (!lstatSync(folder).isDirectory()) return
      const command = readCommand(readObject(join(folder, 'command.json'), paths.root, MAX_COMMAND_BYTES))
      if (command === undefined || command.id !== id || command.bridgeId !== bridgeId) return
      const claim = JSON.stringify({ bridgeId, pid: process.pid, claimedAt: new Date().toISOString() })
      if (!writeExclusively(join(folder, 'claimed.json'), claim)) return
      await this.#run(command, folder)
    } catch (error) {
      // The folder was taken back, or the disk is full: whoever asked notices by the end of the job, or by its own clock.
      if (errorCode(error) === undefined) throw error
      tryToEnd(folder)
    }
  }

  async #run(command: BridgeCommand, folder: string): Promise<void> {
    const begun = performance.now()
    const abort = new AbortController()
    const { id, scriptName, timeout } = command
    this.#running.set(id, abort)
    const timer = setTimeout(
      () => abort.abort(new BridgeError('E_TIMEOUT', `${scriptName} took longer than ${timeout} ms`)),
      timeout,
    )
    const reader = new MessageReader(folder, 'requests', (message) => channel.onMessage(message))
    const writer = new MessageWriter(folder, 'events')
    const channel: BridgeChannel = { send: (message) => writer.send(message), onMessage: () => undefined }
    let isListening = false
    const look = (): void => {
      if (isListening) reader.read()
      if (isOver(folder)) abort.abort(new BridgeError('E_CANCELLED', `${scriptName} was cancelled`))
    }
    const cancel = watchClosely(folder, CANCEL_POLL_MS, look)
    // It may have been given up, and taken back, while it was claimed.
    look()
    let failure: BridgeFailure | undefined
    try {
      const answering = this.#answer(command, abort.signal, channel)
      answering.catch(() => undefined)
      isListening = this.#isDialogue(scriptName)
      // What was said before it listened.
      look()
      const answer = await answering
      writer.flush()
      await writeAnswer(folder, answer)
    } catch (error) {
      failure = describeFailure(error)
      await writeFileAtomically(join(folder, 'error.json'), JSON.stringify(failure))
    } finally {
      clearTimeout(timer)
      cancel.close()
      writer.flush()
      this.#running.delete(id)
    }
    writeExclusively(join(folder, 'done'), '')
    this.#options.onRan?.(command, failure, performance.now() - begun)
  }

  #isDialogue(name: string): boolean {
    return Object.hasOwn(this.#options.dialogues ?? {}, name)
  }

  async #talk(dialogue: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    if (this.#dialogues >= MAX_DIALOGUES) {
      throw new BridgeError('E_CAPACITY', `This VS Code window has ${MAX_DIALOGUES} sessions of agents already`)
    }
    this.#dialogues++
    try {
      return await raceWithSignal(dialogue(), signal)
    } finally {
      this.#dialogues--
    }
  }

  async #answer(command: BridgeCommand, signal: AbortSignal, channel: BridgeChannel): Promise<unknown> {
    const { scriptName, params } = command
    signal.throwIfAborted()
    const { scripts, dialogues = {} } = this.#options
    const dialogue = this.#isDialogue(scriptName) ? dialogues[scriptName] : undefined
    if (dialogue !== undefined) return this.#talk(() => dialogue(params, signal, channel), signal)
    const script = Object.hasOwn(scripts, scriptName) ? scripts[scriptName] : undefined
    if (script === undefined) {
      throw new BridgeError('E_SCRIPT_NOT_FOUND', `The extension of this window does not know ${scriptName}`, {
        hint: 'Update the Switchboard extension, and reload the window.',
      })
    }
    if (this.#slots.waiting >= MAX_WAITING) {
      throw new BridgeError('E_CAPACITY', `${MAX_WAITING} commands wait for this VS Code window already`)
    }
    const done = await this.#slots.take(signal)
    try {
      return await raceWithSignal(script(params, signal), signal)
    } finally {
      done()
    }
  }
}

/** Cancelled, or taken away from under us. */
function isOver(folder: string): boolean {
  const isThere = (name: string): boolean => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined
  return isThere('cancel') || !isThere('claimed.json')
}

/** A script that does not listen is left behind: whoever asked hears at once. */
async function raceWithSignal(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  aborted.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function writeAnswer(folder: string, data: unknown): Promise<void> {
  const text = JSON.stringify(data ?? null)
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_ANSWER_BYTES) {
    throw new BridgeError(
      'E_LARGE_DATA',
      `The answer has ${bytes} bytes; at most ${MAX_ANSWER_BYTES} can be handed over`,
      {
        hint: 'Ask for less: one file, or a narrower search.',
      },
    )
  }
  if (bytes <= LARGE_ANSWER_BYTES) {
    await writeFileAtomically(join(folder, 'response.json'), `{"ok":true,"data":${text}}`)
    return
  }
  await writeFileAtomically(join(folder, 'data.json'), `{"data":${text}}`)
  await writeFileAtomically(join(folder, 'response.json'), JSON.stringify({ ok: true, dataRef: 'data.json', bytes }))
}

/** An end without an answer takes no room on the disk, and tells more than none. */
function tryToEnd(folder: string): void {
  try {
    writeExclusively(join(folder, 'done'), '')
  } catch {
    // The folder is gone, or not even a name has room.
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
