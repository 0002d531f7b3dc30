/**
 * The frames of threads that stand. What was read is kept until the thread goes on or stops anew: a stop is looked at when
 * it is judged, and again, at once, when it is told.
 */
import type { EngineRequestOptions, Frame } from '../engine/debug-session.ts'
import { type JsonMembers, readNumber, readObjects } from '../json-values.ts'
import type { RunState } from './run-state.ts'
import type { DapTraits } from './traits.ts'
import { toFrame } from './translate.ts'

export interface StackPage {
  readonly frames: readonly Frame[]
  readonly total?: number
}

export interface DapStackReaderOptions {
  readonly traits: DapTraits
  readonly workspace: string
  readonly state: RunState
  ask(args: object, options: EngineRequestOptions): Promise<JsonMembers>
}

/** As many as an agent is shown of a stop. */
export const SHOWN_FRAMES = 50

interface Known {
  readonly count: number
  readonly page: StackPage
}

export class DapStackReader {
  readonly #options: DapStackReaderOptions
  /** By thread, from its innermost frame on. */
  readonly #known = new Map<number, Known>()

  constructor(options: DapStackReaderOptions) {
    this.#options = options
  }

  async read(threadId: number, { start, count }: { start: number; count: number }, options: EngineRequestOptions = {}) {
    const known = this.#known.get(threadId)
    const found = known === undefined ? undefined : cut(known, start, count)
    if (found !== undefined) return found
    const turn = this.#options.state.turn
    const body = await this.#options.ask({ threadId, startFrame: start, levels: count }, options)
    const page = this.#toPage(body, start, count)
    // What comes after the program has gone on is of no use to anybody else.
    if (start === 0 && turn === this.#options.state.turn) this.#known.set(threadId, { count, page })
    return page
  }

  forget(threadId?: number): void {
    if (threadId === undefined) this.#known.clear()
    else this.#known.delete(threadId)
  }

  #toPage(body: JsonMembers, start: number, count: number): StackPage {
    const { traits, workspace, state } = this.#options
    const rows = readObjects(body.stackFrames)
    // An adapter that knows no paging sends all of them.
    const page = rows.length > count ? rows.slice(start, start + count) : rows
    const frames = page.map((row) => toFrame(row, workspace, traits))
    for (const frame of frames) state.addFrame(frame.id)
    const total = rows.length > count ? rows.length : readNumber(body.totalFrames)
    return total === undefined || traits.guessesTotalFrames ? { frames } : { frames, total }
  }
}

/** Undefined: there may be more than is known. */
function cut({ count, page }: Known, start: number, wanted: number): StackPage | undefined {
  const isWhole = page.frames.length < count
  if (!isWhole && start + wanted > count) return undefined
  return { ...page, frames: page.frames.slice(start, start + wanted) }
}
