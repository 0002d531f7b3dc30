/**
 * Keeps the breakpoints of one thread where they belong: on the file itself, and on whatever was made of it as source
 * maps say. Invariants: 1. a breakpoint that did not change is not touched, so that its hits are counted on; 2. a file that
 * is loaded with a map of its own has none on its generated lines; 3. one change at a time.
 */
import { pathToFileURL } from 'node:url'
import { Script as SyntaxCheck } from 'node:vm'
import { ToolError } from '@switchboard/toolkit'
import type { BreakpointRequest, BreakpointState } from '../engine/debug-session.ts'
import { writeCondition } from './breakpoint-condition.ts'
import type { InspectorClient } from './inspector-client.ts'
import { predictLine } from './predict-line.ts'
import type { Location } from './protocol.ts'
import { isUserPath, type Script, type ScriptTable, toRealPath } from './script-table.ts'
import type { SourceMap } from './source-map.ts'

interface Bound {
  readonly request: BreakpointRequest
  readonly condition: string | undefined
  /** Of the runtime → the generated file that it is on. */
  readonly runtimeIds: Map<string, string>
  isOnCode: boolean
  state: BreakpointState
}

interface BoundFile {
  readonly shown: string
  readonly real: string
  breakpoints: Bound[]
}

export class BreakpointBinder {
  readonly #client: InspectorClient
  readonly #scripts: ScriptTable
  readonly #onChange: (state: BreakpointState) => void
  readonly #files = new Map<string, BoundFile>()
  /** Files that were made of others, by their maps. */
  readonly #generated = new Map<string, SourceMap>()
  readonly #byRuntimeId = new Map<string, { file: BoundFile; bound: Bound }>()
  #ordinal = 0
  #work: Promise<unknown> = Promise.resolve()

  constructor(client: InspectorClient, scripts: ScriptTable, onChange: (state: BreakpointState) => void) {
    this.#client = client
    this.#scripts = scripts
    this.#onChange = onChange
  }

  /** Is there one whose code has not been seen yet? */
  get hasWaiting(): boolean {
    return [...this.#files.values()].some(({ breakpoints }) => breakpoints.some(({ isOnCode }) => !isOnCode))
  }

  find(runtimeId: string): { readonly id: string; readonly path: string; readonly line: number } | undefined {
    const found = this.#byRuntimeId.get(runtimeId)
    if (found === undefined) return undefined
    const { request, state } = found.bound
    return { id: request.id, path: found.file.shown, line: state.line ?? request.line }
  }

  findById(id: string): { readonly path: string; readonly line: number } | undefined {
    for (const { shown, breakpoints } of this.#files.values()) {
      const bound = breakpoints.find(({ request }) => request.id === id)
      if (bound !== undefined) return { path: shown, line: bound.state.line ?? bound.request.line }
    }
    return undefined
  }

  async set(path: string, requests: readonly BreakpointRequest[]): Promise<readonly BreakpointState[]> {
    const real = toRealPath(path)
    const file = await this.#replace(path, real, requests)
    if (!isUserPath(real)) {
      const libraries = [...this.#scripts.all()].filter((script) => !isUserPath(script.path) && script.mapUrl !== '')
      await Promise.all(libraries.map((script) => this.addScript(script)))
    }
    return file.breakpoints.map(({ state }) => state)
  }

  #replace(path: string, real: string, requests: readonly BreakpointRequest[]): Promise<BoundFile> {
    return this.#alone(async () => {
      const file = this.#files.get(real) ?? { shown: path, real, breakpoints: [] }
      this.#files.set(real, file)
      const before = file.breakpoints
      const kept = before.filter(({ request }) => requests.some((wanted) => isSame(wanted, request)))
      await Promise.all(
        before
          .filter((bound) => !kept.includes(bound))
          .map((bound) => this.#remove(bound, [...bound.runtimeIds.keys()])),
      )
      file.breakpoints = await Promise.all(
        requests.map(async (request) => {
          const known = kept.find((bound) => isSame(request, bound.request))
          if (known !== undefined) return known
          const bound = prepare(file.real, request)
          if (!('failed' in bound)) await this.#bind(file, bound)
          return bound
        }),
      )
      return file
    })
  }

  /** Maps of libraries are many and large; they matter only to somebody who debugs a library. */
  wantsMapOf(path: string): boolean {
    return isUserPath(path) || [...this.#files.keys()].some((file) => !isUserPath(file))
  }

  /** A script that was loaded, or is held before it is. Resolves when all breakpoints on it are set. */
  async addScript(script: Script): Promise<void> {
    if (script.path === undefined || !this.wantsMapOf(script.path)) return
    const map = await this.#scripts.mapOf(script)
    if (map !== undefined) return this.addGenerated(script.path, map)
    const file = this.#files.get(script.path)
    if (file !== undefined) await this.#alone(() => this.#explainUnbound(file, script))
  }

  async addGenerated(path: string, map: SourceMap): Promise<void> {
    if (this.#generated.get(path) === map) return
    await this.#alone(async () => {
      this.#generated.set(path, map)
      const ownLines = this.#files.get(path)
      await Promise.all(
        (ownLines?.breakpoints ?? []).map((bound) =>
          this.#remove(
            bound,
            [...bound.runtimeIds].filter(([, on]) => on === path).map(([id]) => id),
          ),
        ),
      )
      const sources = new Set(map.sources)
      for (const file of this.#files.values()) {
        if (!sources.has(file.real)) continue
        await Promise.all(file.breakpoints.map((bound) => this.#bindMapped(file, bound, path, map)))
      }
    })
  }

  async resolved(runtimeId: string, location: Location): Promise<void> {
    const place = await this.#scripts.toPlace(location)
    const found = this.#byRuntimeId.get(runtimeId)
    if (found === undefined || place === undefined) return
    this.#change(found.bound, onLine(found.bound.request, place.line), true)
  }

  async #bind(file: BoundFile, bound: Bound): Promise<void> {
    const { request } = bound
    const maps = [...this.#generated].filter(([, map]) => map.sources.includes(file.real))
    for (const [path, map] of maps) await this.#bindMapped(file, bound, path, map)
    if (this.#generated.has(file.real)) return
    const column = request.column === undefined ? {} : { columnNumber: request.column - 1 }
    const line = bound.state.line ?? request.line
    await this.#place(file, bound, file.real, { lineNumber: line - 1, ...column })
    if (bound.isOnCode) return
    const loaded = [...this.#scripts.all()].find(({ path }) => path === file.real)
    if (loaded !== undefined) await this.#explainUnbound(file, loaded)
  }

  async #bindMapped(file: BoundFile, bound: Bound, path: string, map: SourceMap): Promise<void> {
    const { line, column } = bound.request
    const found = map.toGenerated(file.real, line, column === undefined ? 0 : column - 1)
    if (found === undefined) {
      if (bound.isOnCode) return
      const state = { id: bound.request.id, verified: false, message: `No code was made of line ${line}.` }
      this.#change(bound, state, false)
      return
    }
    this.#change(bound, onLine(bound.request, found.line), true)
    for (const place of found.places) {
      await this.#place(file, bound, path, { lineNumber: place.line - 1, columnNumber: place.column })
    }
  }

  async #place(
    file: BoundFile,
    bound: Bound,
    path: string,
    at: { lineNumber: number; columnNumber?: number },
  ): Promise<void> {
    const { condition } = bound
    const { breakpointId, locations } = await this.#client.request('Debugger.setBreakpointByUrl', {
      ...at,
      // Two on one line must not be the same to the runtime.
      urlRegex: `${urlPattern(this.#scripts.toRemote(path))}(?:){${++this.#ordinal}}`,
      ...(condition === undefined ? {} : { condition }),
    })
    bound.runtimeIds.set(breakpointId, path)
    this.#byRuntimeId.set(breakpointId, { file, bound })
    for (const location of locations) await this.resolved(breakpointId, location)
  }

  async #remove(bound: Bound, runtimeIds: readonly string[]): Promise<void> {
    await Promise.all(
      runtimeIds.map(async (breakpointId) => {
        bound.runtimeIds.delete(breakpointId)
        this.#byRuntimeId.delete(breakpointId)
        await this.#client.request('Debugger.removeBreakpoint', { breakpointId })
      }),
    )
  }

  /** The runtime says nothing of a breakpoint behind the last code of a file. */
  async #explainUnbound(file: BoundFile, script: Script): Promise<void> {
    for (const bound of file.breakpoints.filter(({ isOnCode }) => !isOnCode)) {
      const { line } = bound.request
      // Asked for a whole file the runtime tells the first part of a large one only.
      if ((await this.#findLastCode(script, line)) > 0 || bound.isOnCode) continue
      const last = await this.#findLastCode(script, 1)
      if (last >= line || bound.isOnCode) continue
      const hint = last === 0 ? 'The file has no code.' : `The last code is at line ${last}.`
      const message = `There is no code at or after line ${line}. ${hint}`
      this.#change(bound, { id: bound.request.id, verified: false, message }, true)
    }
  }

  /** From a line on; 0: there is none. */
  async #findLastCode({ id: scriptId }: Script, from: number): Promise<number> {
    const start = { scriptId, lineNumber: from - 1, columnNumber: 0 }
    const { locations } = await this.#client.request('Debugger.getPossibleBreakpoints', { start })
    return (locations.at(-1)?.lineNumber ?? -1) + 1
  }

  #change(bound: Bound, state: BreakpointState, isOnCode: boolean): void {
    const before = bound.state
    bound.isOnCode = isOnCode
    bound.state = state
    const isNew = ![...this.#files.values()].some(({ breakpoints }) => breakpoints.includes(bound))
    if (isNew) return
    if (before.verified !== state.verified || before.line !== state.line || before.message !== state.message) {
      this.#onChange(state)
    }
  }

  #alone<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#work.then(task)
    this.#work = result.catch(() => {})
    return result
  }
}

function prepare(path: string, request: BreakpointRequest): Bound & { failed?: true } {
  const bound = { request, condition: undefined, runtimeIds: new Map<string, string>(), isOnCode: false }
  try {
    if (request.condition !== undefined && request.condition.trim() !== '') checkSyntax(request.condition)
    const condition = writeCondition(request)
    const prediction = predictLine(path, request.line)
    const state =
      'line' in prediction
        ? onLine(request, prediction.line)
        : { id: request.id, verified: false, message: prediction.problem }
    return { ...bound, condition, state }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const state = { id: request.id, verified: false, message: error.message }
    return { ...bound, isOnCode: true, state, failed: true }
  }
}

function checkSyntax(condition: string): void {
  try {
    new SyntaxCheck(`(${condition}\n)`)
  } catch (error) {
    // A private name is right only inside its class.
    if (!(error instanceof SyntaxError) || condition.includes('#')) return
    throw new ToolError('E_BREAKPOINT_INVALID', `The condition "${condition}" is no expression: ${error.message}`)
  }
}

function onLine(request: BreakpointRequest, line: number): BreakpointState {
  return { id: request.id, verified: true, ...(line === request.line ? {} : { line }) }
}

function isSame(left: BreakpointRequest, right: BreakpointRequest): boolean {
  return (
    left.id === right.id &&
    left.line === right.line &&
    left.column === right.column &&
    left.condition === right.condition &&
    left.hitCondition === right.hitCondition &&
    left.logMessage === right.logMessage
  )
}

/** A module may be loaded under its address with something behind it: `?t=1`. */
export function urlPattern(path: string): string {
  const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const url = quote(pathToFileURL(path).href).replace(/^file:\/\/\/([a-z]):/i, (_, drive: string) => {
    return `file:///[${drive.toLowerCase()}${drive.toUpperCase()}]:`
  })
  return `^(?:${url}|${quote(path)})(?:[?#].*)?$`
}
