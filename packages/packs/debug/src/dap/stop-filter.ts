/**
 * Decides what a stop of the adapter means: one to tell, or one that only serves something the adapter cannot do itself
 * (counting hits, printing logs, forgetting a removed breakpoint) or that says again what was told already.
 * Looks and decides; whoever asks does the going on.
 */
import type { ExceptionMode, Frame, Place } from '../engine/debug-session.ts'
import { type JsonMembers, readNumbers, readString } from '../json-values.ts'
import type { BreakpointTable, Verdict } from './breakpoint-table.ts'
import type { Evaluator } from './evaluator.ts'
import type { DapTraits } from './traits.ts'

export type StepKind = 'over' | 'into' | 'out'

export type Decision =
  | { readonly act: 'tell'; readonly reason: string; readonly breakpointIds: readonly string[] }
  | { readonly act: 'go on' }
  /** The function has ended, its frame has not. */
  | { readonly act: 'step once more' }

export interface StopFilterOptions {
  readonly traits: DapTraits
  readonly breakpoints: BreakpointTable
  readonly evaluator: Evaluator
  readFrames(threadId: number): Promise<readonly Frame[]>
  readTop(threadId: number): Promise<{ readonly frame: Frame | undefined; readonly depth: number | undefined }>
  print(log: Verdict['logs'][number], text: string): void
}

interface Hit {
  readonly breakpoint: string
  readonly location: number
  readonly frame: string
}

export class StopFilter {
  readonly #options: StopFilterOptions
  /** Numbers of the function breakpoints that mean a panic. */
  panicIds: readonly number[] = []
  exceptionMode: ExceptionMode = 'none'
  readonly #lastHits = new Map<number, Hit>()
  #lastException: string | undefined

  constructor(options: StopFilterOptions) {
    this.#options = options
  }

  async decide(body: JsonMembers, threadId: number, stepping: StepKind | undefined): Promise<Decision> {
    const reason = readString(body.reason) ?? 'pause'
    const adapterIds = readNumbers(body.hitBreakpointIds)
    if (adapterIds.some((id) => this.panicIds.includes(id))) {
      return this.exceptionMode === 'uncaught' && (await this.#isCaught(threadId))
        ? { act: 'go on' }
        : tell('exception')
    }
    if (this.exceptionMode === 'none' && this.#isForced(body, reason)) return { act: 'go on' }
    if (reason.includes('breakpoint')) return this.#decideBreakpoint(body, threadId, adapterIds, reason, stepping)
    if (reason === 'step' && stepping === 'out' && this.#options.traits.stepsOutToEnd) return { act: 'step once more' }
    if (reason === 'exception' && stepping === undefined && (await this.#isPassing(threadId))) return { act: 'go on' }
    return tell(reason)
  }

  async #decideBreakpoint(
    body: JsonMembers,
    threadId: number,
    adapterIds: readonly number[],
    reason: string,
    stepping: StepKind | undefined,
  ): Promise<Decision> {
    const { traits, breakpoints, evaluator, print } = this.#options
    if (stepping === undefined && (await this.#isSameHit(body, threadId))) return { act: 'go on' }
    const place = traits.readHitPlace?.(body) ?? (await this.#placeOf(threadId, adapterIds))
    const verdict = breakpoints.judge(adapterIds, place)
    for (const log of verdict.logs) {
      const { frame } = await this.#options.readTop(threadId)
      print(log, await evaluator.format(log.message, frame?.id))
    }
    if (verdict.shouldStop) return tell(reason, verdict.ids)
    // While a person steps, going on by ourselves would run past the end of the step.
    return stepping === undefined ? { act: 'go on' } : tell('step')
  }

  /**
   * One line can be several places in the compiled program, each with a stop of its own; a person set one breakpoint
   * and passes it once. A second call of the same function begins with the first place again.
   */
  async #isSameHit(body: JsonMembers, threadId: number): Promise<boolean> {
    const found = /^breakpoint (\d+)\.(\d+)/.exec(readString(body.description) ?? '')
    if (found === null) return false
    const { frame, depth } = await this.#options.readTop(threadId)
    const hit = { breakpoint: found[1] ?? '', location: Number(found[2]), frame: `${frame?.name} ${depth}` }
    const last = this.#lastHits.get(threadId)
    this.#lastHits.set(threadId, hit)
    return last?.breakpoint === hit.breakpoint && last.frame === hit.frame && last.location < hit.location
  }

  #isForced(body: JsonMembers, reason: string): boolean {
    const text = readString(body.text) ?? readString(body.description) ?? ''
    return reason === 'exception' && this.#options.traits.isForcedStop?.(text) === true
  }

  /** Something between the failure and a caller of the person's own catches it. */
  async #isCaught(threadId: number): Promise<boolean> {
    const { isCatching } = this.#options.traits
    if (isCatching === undefined) return false
    const frames = await this.#options.readFrames(threadId)
    const at = frames.findIndex(({ name }) => isCatching(name))
    return at !== -1 && frames.slice(at).some(({ isUser }) => isUser)
  }

  /** The same exception again, on its way through the callers of the function that raised it. */
  async #isPassing(threadId: number): Promise<boolean> {
    const { traits, evaluator, readTop } = this.#options
    if (traits.exceptionKey === undefined) return false
    const { frame } = await readTop(threadId)
    const key = await evaluator.format(`{${traits.exceptionKey}}`, frame?.id)
    const [identity, isPassing] = /(?<!\d)(\d+) (True|False)/.exec(key)?.slice(1) ?? []
    const isSame = identity !== undefined && identity === this.#lastException
    this.#lastException = identity
    return isSame && isPassing === 'True'
  }

  /** Where it stands, when the adapter did not say which breakpoint it was. */
  async #placeOf(threadId: number, adapterIds: readonly number[]): Promise<Place | undefined> {
    if (adapterIds.length > 0 || this.#options.breakpoints.isEmpty) return undefined
    return (await this.#options.readTop(threadId)).frame?.place
  }
}

function tell(reason: string, breakpointIds: readonly string[] = []): Decision {
  return { act: 'tell', reason, breakpointIds }
}
