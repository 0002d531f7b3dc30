/** Which threads stand, and which frames are alive. Everything dies when the program goes on. */
import { ToolError } from '@switchboard/toolkit'

export class RunState {
  readonly #stopped = new Set<number>()
  readonly #frames = new Set<number>()
  readonly #threads = new Set<number>()
  #allStopped = false
  /** Counts how often the program has gone on. */
  turn = 0

  get isAnyStopped(): boolean {
    return this.#allStopped || this.#stopped.size > 0
  }

  get areAllStopped(): boolean {
    return this.#allStopped
  }

  get firstStopped(): number | undefined {
    const [first] = this.#stopped
    return first ?? (this.#allStopped ? this.firstThread : undefined)
  }

  get firstThread(): number {
    const [first = 1] = this.#threads
    return first
  }

  isStopped(threadId: number): boolean {
    return this.#allStopped || this.#stopped.has(threadId)
  }

  stop(threadId: number, allThreads: boolean): void {
    this.#threads.add(threadId)
    this.#stopped.add(threadId)
    this.#allStopped ||= allThreads
  }

  /** Returns what undoes it, for a request that failed: the frames are lost all the same. */
  goOn(): () => void {
    this.turn++
    const all = this.#allStopped
    const stopped = [...this.#stopped]
    this.#allStopped = false
    this.#stopped.clear()
    this.#frames.clear()
    return () => {
      if (this.isAnyStopped) return
      this.#allStopped = all
      for (const id of stopped) this.#stopped.add(id)
    }
  }

  addThread(threadId: number): void {
    this.#threads.add(threadId)
  }

  removeThread(threadId: number): void {
    this.#threads.delete(threadId)
    this.#stopped.delete(threadId)
  }

  addFrame(frameId: number): void {
    this.#frames.add(frameId)
  }

  throwIfRunning(threadId: number): void {
    if (this.isStopped(threadId)) return
    throw new ToolError('E_NOT_PAUSED', `Thread ${threadId} is running. Pause it, or wait for a stop.`)
  }

  throwIfStale(frameId: number): void {
    if (this.#frames.has(frameId)) return
    throw new ToolError(
      'E_STALE_REFERENCE',
      `There is no frame ${frameId}. Frames hold until the program goes on; ask for the stack again.`,
    )
  }
}
