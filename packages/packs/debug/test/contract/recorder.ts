import { readFileSync } from 'node:fs'
import type { BreakpointRequest, DebugSession, Frame, SessionEvent, Variable } from '../../src/engine/debug-session.ts'

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>

/** Generous: the machine may be busy with other tests. */
const PATIENCE_MS = 30_000

/** Keeps every event of a session, and waits for those that are to come. */
export class Recorder {
  readonly session: DebugSession
  readonly events: SessionEvent[] = []
  readonly #waiting = new Set<() => void>()
  /** Events before this one have been asked for. */
  #seen = 0

  constructor(session: DebugSession) {
    this.session = session
    session.onEvent((event) => {
      this.events.push(event)
      for (const look of [...this.#waiting]) look()
    })
  }

  /** The next event of that type after the last one that was asked for. */
  next<T extends SessionEvent['type']>(
    type: T,
    matches: (event: EventOf<T>) => boolean = () => true,
  ): Promise<EventOf<T>> {
    const find = (): EventOf<T> | undefined => {
      for (let index = this.#seen; index < this.events.length; index++) {
        const event = this.events[index]
        if (event?.type !== type) continue
        // The comparison above is what narrows it.
        const found = event as EventOf<T>
        if (!matches(found)) continue
        this.#seen = index + 1
        return found
      }
      return undefined
    }
    return this.#wait(find, `an event "${type}"`)
  }

  async nextStop(): Promise<EventOf<'stopped'>> {
    return this.next('stopped')
  }

  /** What has happened until now is not asked for any more. */
  forgetStops(): void {
    this.#seen = this.events.length
  }

  /** All that the program printed so far. */
  get output(): string {
    return this.events
      .map((event) => (event.type === 'output' && event.breakpointId === undefined ? event.text : ''))
      .join('')
  }

  logsOf(breakpointId: string): string[] {
    return this.events.flatMap((event) =>
      event.type === 'output' && event.breakpointId === breakpointId ? [event.text.trimEnd()] : [],
    )
  }

  waitForOutput(text: string): Promise<true> {
    return this.#wait(() => this.output.includes(text) || undefined, `the output ${JSON.stringify(text)}`)
  }

  async waitForEnd(): Promise<EventOf<'terminated'>> {
    return this.#wait(() => this.events.find((event) => event.type === 'terminated'), 'the end of the session')
  }

  async top(threadId: number): Promise<Frame> {
    const { frames } = await this.session.stack(threadId, { start: 0, count: 1 })
    const [frame] = frames
    if (frame === undefined) throw new Error('an empty stack')
    return frame
  }

  /** The first frame of the person's own code. */
  async topUserFrame(threadId: number): Promise<Frame> {
    const { frames } = await this.session.stack(threadId, { start: 0, count: 30 })
    const frame = frames.find((candidate) => candidate.isUser)
    if (frame === undefined) throw new Error(`no user code in ${JSON.stringify(frames)}`)
    return frame
  }

  /** The variables of the scopes that lie in the function: block, local, arguments. */
  async locals(frameId: number): Promise<readonly Variable[]> {
    const scopes = await this.session.scopes(frameId)
    const near = scopes.filter(({ kind }) => kind === 'local' || kind === 'block' || kind === 'arguments')
    const lists = await Promise.all(
      near.map(({ reference }) => this.session.variables(reference, { start: 0, count: 100 })),
    )
    return lists.flat()
  }

  #wait<T>(find: () => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look)
        const seen = this.events.slice(-12).map((event) => JSON.stringify(event).slice(0, 200))
        reject(new Error(`Waited in vain for ${what}. The last events:\n${seen.join('\n')}`))
      }, PATIENCE_MS)
      const look = (): void => {
        const found = find()
        if (found === undefined) return
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve(found)
      }
      this.#waiting.add(look)
      look()
    })
  }
}

/** The lines of a fixture program by their marks: `mark: loop` in a comment. */
export function readMarks(source: string): (name: string) => number {
  const marks = new Map<string, number>()
  for (const [index, line] of readFileSync(source, 'utf8').split('\n').entries()) {
    const name = /mark: ([\w-]+)/.exec(line)?.[1]
    if (name !== undefined) marks.set(name, index + 1)
  }
  return (name) => {
    const line = marks.get(name)
    if (line === undefined) throw new Error(`${source} has no mark ${name}`)
    return line
  }
}

export function breakpoint(line: number, more: Partial<BreakpointRequest> = {}): BreakpointRequest {
  return { id: `at-${line}`, line, ...more }
}
