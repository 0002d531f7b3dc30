/**
 * What a caller may see: the folder of its window, and nothing else. It is indexed when the first tool asks, and watched while it is
 * used.
 *
 * 1. A folder inside one that is indexed already is a part of that: nothing is read twice.
 * 2. The home of a person, and what lies above it, is no project.
 */
import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'
import { type Clock, isPathInside } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'
import type { Config } from './config.ts'
import type { LensIndex } from './lens-index.ts'
import type { Scope, ScopePart } from './scope.ts'
import type { RootPlace } from './thread/messages.ts'

/** Milliseconds after which a folder that nobody asked about is no longer watched. */
const WATCHED_MS = 1_800_000
const MAX_WATCHED = 8
/** Milliseconds that the first question of a folder waits for its index. */
const FIRST_WAIT_MS = 3_000
/** Milliseconds after which layers of a playset, which nobody watches, are looked at again when they are asked about. */
const LAYERS_MS = 60_000

export class Workspaces {
  readonly #index: LensIndex
  readonly #config: Config
  readonly #clock: Clock
  readonly #roots = new Map<number, RootPlace>()
  /** When each was asked about last. */
  readonly #used = new Map<number, number>()
  #watched = ''
  #life = 0
  /** By the paths of a playset: when it was looked at last. */
  readonly #looked = new Map<string, number>()

  constructor(index: LensIndex, config: Config, clock: Clock) {
    this.#index = index
    this.#config = config
    this.#clock = clock
  }

  /** Makes sure that the folder is indexed, or being so. Throws a ToolError. */
  async scopeOf(workspace: string | undefined, signal?: AbortSignal): Promise<Scope> {
    const folder = resolveWorkspace(workspace)
    await this.#forgetOldLife()
    const root = (await this.#findRoot(folder)) ?? (await this.#addRoot(folder))
    const isFirst = !this.#used.has(root.id)
    await this.#use(root.id)
    if (isFirst) await this.#index.waitForIdle(FIRST_WAIT_MS, signal)
    return [toPart(root, folder)]
  }

  /** What is known of it, without indexing anything. Empty: nothing. */
  async knownScopeOf(workspace: string | undefined): Promise<Scope> {
    const folder = resolveWorkspace(workspace)
    const root = this.#index.exists ? await this.#findRoot(folder) : undefined
    return root === undefined ? [] : [toPart(root, folder)]
  }

  /** An index that was damaged is another one, and knows nothing yet. */
  async #forgetOldLife(): Promise<void> {
    if (this.#index.exists) await this.#index.read('roots', [])
    if (this.#life === this.#index.life) return
    this.#life = this.#index.life
    this.#roots.clear()
    this.#used.clear()
    this.#watched = ''
    this.#looked.clear()
  }

  /** Of the layers of a playset, in their order. Those that are not indexed yet are from now on. */
  async layersScope(folders: readonly string[], signal?: AbortSignal): Promise<Scope> {
    await this.#forgetOldLife()
    const parts: ScopePart[] = []
    for (const given of folders) {
      const folder = findFolder(given) ?? given
      const root = (await this.#findRoot(folder)) ?? (await this.#addRoot(folder, 'layer'))
      parts.push(toPart(root, folder))
    }
    const key = folders.join('\n')
    const last = this.#looked.get(key)
    if (last !== undefined && this.#clock.now() - last < LAYERS_MS) return parts
    this.#looked.set(key, this.#clock.now())
    // Where another process keeps the index, that one looks.
    await this.#index.write('rescan', [[...new Set(parts.map(({ root }) => root))], false]).catch(() => undefined)
    if (last === undefined) await this.#index.waitForIdle(FIRST_WAIT_MS, signal)
    return parts
  }

  async #findRoot(folder: string): Promise<RootPlace | undefined> {
    const known = (): RootPlace | undefined => [...this.#roots.values()].find(({ path }) => isPathInside(path, folder))
    if (known() === undefined && this.#index.exists) {
      for (const { id, path } of await this.#index.read('roots', [])) {
        this.#roots.set(id, { id, path, exclude: this.#config.exclude })
      }
    }
    return known()
  }

  async #addRoot(folder: string, kind: 'workspace' | 'layer' = 'workspace'): Promise<RootPlace> {
    const wanted = { path: folder, kind, exclude: this.#config.exclude }
    const [added] = await this.#index.write('addRoots', [[wanted]])
    if (added === undefined) throw new Error(`${folder} became no root`)
    this.#roots.set(added.root.id, added.root)
    return added.root
  }

  /** Those that were used last are watched; one that was not used for long is looked at when it is used again. */
  async #use(id: number): Promise<void> {
    const now = this.#clock.now()
    this.#used.set(id, now)
    const recent = [...this.#used]
      .filter(([, at]) => now - at < WATCHED_MS)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_WATCHED)
      .map(([root]) => root)
      .sort((a, b) => a - b)
    const wanted = recent.join(' ')
    if (wanted === this.#watched) return
    const before = new Set(this.#watched.split(' '))
    this.#watched = wanted
    for (const root of this.#used.keys()) if (!recent.includes(root)) this.#used.delete(root)
    // Where another process keeps the index, that one watches.
    const told = this.#config.watch
      ? this.#index.write('watch', [recent])
      : this.#index.write('rescan', [recent.filter((root) => !before.has(String(root))), false])
    await told.catch(() => undefined)
  }
}

/** A real path. Throws a ToolError. */
function resolveWorkspace(workspace: string | undefined): string {
  if (workspace === undefined) throw new ToolError('E_NO_WORKSPACE', 'Nobody knows which folder this window is about')
  const folder = findFolder(workspace)
  if (folder === undefined) throw new ToolError('E_NO_WORKSPACE', `${workspace} is not a folder that is there`)
  const home = findFolder(homedir())
  if (home !== undefined && isPathInside(folder, home)) {
    throw new ToolError('E_WORKSPACE_TOO_WIDE', `${workspace} holds your whole home: it is not indexed`)
  }
  return folder
}

function findFolder(path: string): string | undefined {
  try {
    // The native one: it knows how the name is written where upper and lower case are the same.
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

const toPart = ({ id, path }: RootPlace, folder: string): ScopePart => ({
  root: id,
  rootPath: path,
  folder: relative(path, folder).split(sep).join('/'),
})

export interface ScopedPath {
  readonly root: number
  readonly rootPath: string
  /** From the root. */
  readonly path: string
}

/** A path that a caller names, absolute or from its folder. Throws a ToolError where it leads out of what the caller may see. */
export function resolvePath(scope: Scope, given: string): ScopedPath {
  const readings = scope.map((part) => {
    const folder = part.folder === '' ? part.rootPath : join(part.rootPath, part.folder)
    const absolute = isAbsolute(given) ? given : join(folder, given)
    return { part, folder, real: realOf(absolute) }
  })
  const inside = readings.filter(({ folder, real }) => isPathInside(folder, real))
  // Of layers, the highest that has it: that is the one in effect.
  const found = inside.findLast(({ real }) => statSync(real, { throwIfNoEntry: false }) !== undefined) ?? inside[0]
  if (found === undefined) {
    throw new ToolError(
      'E_OUTSIDE_WORKSPACE',
      `"${given}" is outside of ${readings.map(({ folder }) => folder).join(', ')}`,
    )
  }
  const { part, real } = found
  return { root: part.root, rootPath: part.rootPath, path: relative(part.rootPath, real).split(sep).join('/') }
}

/** Of what is not there, the folders above count. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const above = join(path, '..')
    return above === path ? path : join(realOf(above), relative(above, path))
  }
}
