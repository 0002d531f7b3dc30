/**
 * Which exceptions nobody catches. The runtime's own word is not enough: what a module throws while it is loaded is caught by the
 * loader, that is, the program dies of it. Two ways: as long as the stack leads straight to the loader we look for a `try`
 * ourselves; for the rest (after an await) the process tells just before it dies, when the stack has gone but the error
 * still knows where it came from.
 */
import type { ExceptionMode } from '../engine/debug-session.ts'
import { isInsideTry } from './find-try.ts'
import type { InspectorClient } from './inspector-client.ts'
import type { CallFrame, Paused } from './protocol.ts'
import { isUserPath, type ScriptTable } from './script-table.ts'

const LOADER = 'node:internal/modules/esm/module_job'
/** A program that throws and catches all the time is not to be slowed down: then the runtime's word has to do. */
const MOST_LOOKS = 100

export class UncaughtExceptions {
  readonly #client: InspectorClient
  readonly #scripts: ScriptTable
  /** The runtime keeps to itself what is thrown and caught within the code that it passes over: Node 22 and later. */
  judgesItself = true
  #mode: ExceptionMode = 'none'
  #looks = 0

  constructor(client: InspectorClient, scripts: ScriptTable) {
    this.#client = client
    this.#scripts = scripts
  }

  get mode(): ExceptionMode {
    return this.#mode
  }

  async setMode(mode: ExceptionMode): Promise<void> {
    this.#mode = mode
    this.#looks = 0
    await this.#client.request('Debugger.setPauseOnExceptions', { state: mode === 'none' ? 'none' : 'all' })
  }

  /** Whether the person wants to see this stop. */
  async isWanted({ data, callFrames }: Paused): Promise<boolean> {
    if (data?.uncaught) return true
    // What the runtime throws and catches for itself is nobody's business.
    if (this.#mode === 'all') {
      const own = callFrames.findIndex((frame) => this.#isUser(frame))
      return own >= 0 && (this.judgesItself || (await this.#reaches(callFrames.slice(0, own))))
    }
    this.#looks += 1
    if (this.#looks === MOST_LOOKS) {
      this.#client.notify('Debugger.setPauseOnExceptions', { state: 'uncaught' })
    }
    const loader = callFrames.findIndex(({ location }) => this.#scripts.get(location.scriptId)?.url === LOADER)
    if (loader < 0) return false
    const above = callFrames.slice(0, loader)
    if (!above.some((frame) => this.#isUser(frame))) return false
    return this.#reaches(above)
  }

  /** Out of all of these frames. */
  async #reaches(frames: readonly CallFrame[]): Promise<boolean> {
    for (const frame of frames) if (await this.#catches(frame)) return false
    return true
  }

  #isUser({ location }: CallFrame): boolean {
    return isUserPath(this.#scripts.get(location.scriptId)?.path)
  }

  async #catches({ location, functionLocation }: CallFrame): Promise<boolean> {
    const { scriptSource } = await this.#client.request('Debugger.getScriptSource', { scriptId: location.scriptId })
    const lines = startsOfLines(scriptSource)
    const from = functionLocation === undefined ? 0 : offsetOf(lines, functionLocation)
    return isInsideTry(scriptSource, from, offsetOf(lines, location))
  }
}

function startsOfLines(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function offsetOf(starts: readonly number[], at: { lineNumber: number; columnNumber?: number }): number {
  return (starts[at.lineNumber] ?? 0) + (at.columnNumber ?? 0)
}
