/** The scripts that one thread has loaded, with their source maps; turns places of the runtime into those of the person. */
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Place } from '../engine/debug-session.ts'
import type { Location, ScriptParsed } from './protocol.ts'
import { toSkipPatterns } from './skip-patterns.ts'
import { loadSourceMap, type SourceMap } from './source-map.ts'

export interface Script {
  readonly id: string
  readonly url: string
  /** Absolute; undefined for what is no file: the runtime's own, evaluated text. */
  readonly path: string | undefined
  readonly endLine: number
  readonly mapUrl: string
}

/** A program may try to compile what it likes, for ever. */
const MOST_FAILED = 50

export class ScriptTable {
  readonly #scripts = new Map<string, Script>()
  /** Paths of those that could not be compiled. */
  readonly #failed = new Map<string, string>()
  readonly #maps = new Map<string, Promise<SourceMap | undefined>>()
  readonly #workspace: WorkspaceNames

  constructor(workspace: WorkspaceNames) {
    this.#workspace = workspace
  }

  add({ scriptId, url, endLine, sourceMapURL = '' }: ScriptParsed): Script {
    const script = { id: scriptId, url, path: this.#workspace.toLocal(urlToPath(url)), endLine, mapUrl: sourceMapURL }
    this.#scripts.set(scriptId, script)
    return script
  }

  addFailed({ scriptId, url }: ScriptParsed): void {
    const path = this.#workspace.toLocal(urlToPath(url))
    if (path === undefined) return
    this.#failed.set(scriptId, path)
    const [oldest] = this.#failed.keys()
    if (this.#failed.size > MOST_FAILED && oldest !== undefined) this.#failed.delete(oldest)
  }

  /** As the file has it: what could not be compiled has no source map that anybody has read. */
  toFailedPlace({ scriptId, lineNumber, columnNumber = 0 }: Location): Place | undefined {
    const path = this.#failed.get(scriptId)
    if (path === undefined) return undefined
    return { path: this.#workspace.toShown(path), line: lineNumber + 1, column: columnNumber + 1 }
  }

  isOwn(path: string | undefined): boolean {
    return this.#workspace.isOwn(path)
  }

  /** Where the runtime has what is this file here. */
  toRemote(path: string): string {
    return this.#workspace.toRemote(path)
  }

  /** Of a script; undefined: it has none. */
  async mapOf({ path, mapUrl }: Script): Promise<SourceMap | undefined> {
    return path === undefined || mapUrl === '' ? undefined : this.loadMap(mapUrl, path)
  }

  /** Read once, also when the script is announced before it is loaded. */
  loadMap(mapUrl: string, path: string): Promise<SourceMap | undefined> {
    const key = keyOf(path, mapUrl)
    const known = this.#maps.get(key)
    if (known !== undefined) return known
    const loading = loadSourceMap(mapUrl, path)
    this.#maps.set(key, loading)
    return loading
  }

  #isLoaded({ path, mapUrl }: Script): boolean {
    return path !== undefined && this.#maps.has(keyOf(path, mapUrl))
  }

  get(id: string): Script | undefined {
    return this.#scripts.get(id)
  }

  all(): Iterable<Script> {
    return this.#scripts.values()
  }

  async toPlace({ scriptId, lineNumber, columnNumber = 0 }: Location): Promise<Place | undefined> {
    const script = this.#scripts.get(scriptId)
    if (script?.path === undefined) return undefined
    // Where a library was made of something else, that is hardly ever there to be read.
    const map = isUserPath(script.path) || this.#isLoaded(script) ? await this.mapOf(script) : undefined
    const original = map?.toOriginal({ line: lineNumber + 1, column: columnNumber })
    if (original !== undefined) {
      return { path: this.#workspace.toShown(original.path), line: original.line, column: original.column + 1 }
    }
    return { path: this.#workspace.toShown(script.path), line: lineNumber + 1, column: columnNumber + 1 }
  }
}

function keyOf(path: string, mapUrl: string): string {
  return `${path}\0${mapUrl}`
}

export interface NameOptions {
  /** Of a program that runs elsewhere: the folder here, and the same one there. */
  readonly localRoot?: string
  readonly remoteRoot?: string
  readonly skipFiles?: unknown
  /** Steps go into libraries as well. */
  readonly libraries?: unknown
}

/** The runtime names files without symbolic links, and as they lie where it runs; the person as the workspace does. */
export class WorkspaceNames {
  readonly #shown: string
  readonly #real: string
  readonly #roots: { readonly local: string; readonly remote: string } | undefined
  /** Of addresses that are stepped over. */
  readonly skipPatterns: readonly string[]
  readonly stepsIntoLibraries: boolean

  constructor(workspace: string, { localRoot, remoteRoot, skipFiles, libraries }: NameOptions = {}) {
    this.#shown = resolve(workspace)
    this.#real = toRealPath(this.#shown)
    this.#roots =
      localRoot === undefined || remoteRoot === undefined
        ? undefined
        : { local: toRealPath(resolve(workspace, localRoot)), remote: remoteRoot.replace(/(?<![\\/])[\\/]+$/, '') }
    this.skipPatterns = toSkipPatterns(skipFiles)
    this.stepsIntoLibraries = libraries === true
  }

  /** Code that the person wants to look at. */
  isOwn(path: string | undefined): boolean {
    return this.stepsIntoLibraries ? path !== undefined : isUserPath(path)
  }

  toShown(path: string): string {
    if (this.#real === this.#shown || !path.startsWith(this.#real + sep)) return path
    return this.#shown + path.slice(this.#real.length)
  }

  toLocal(path: string | undefined): string | undefined {
    if (path === undefined || this.#roots === undefined) return path
    const { local, remote } = this.#roots
    const rest = path.slice(remote.length)
    return path.startsWith(remote) && /^[\\/]/.test(rest) ? resolve(local, `.${rest.replaceAll('\\', '/')}`) : path
  }

  toRemote(path: string): string {
    if (this.#roots === undefined) return path
    const { local, remote } = this.#roots
    return path.startsWith(local + sep) ? remote + path.slice(local.length).replaceAll(sep, '/') : path
  }
}

export function toRealPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

export function urlToPath(url: string): string | undefined {
  if (url.startsWith('file:')) {
    try {
      return fileURLToPath(url)
    } catch {
      return undefined
    }
  }
  return url.startsWith('/') || /^[a-z]:[\\/]/i.test(url) ? url : undefined
}

/** Code of a person: a file that is no library's. */
export function isUserPath(path: string | undefined): boolean {
  return path !== undefined && !/[\\/]node_modules[\\/]/.test(path)
}
