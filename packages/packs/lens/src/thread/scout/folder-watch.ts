/**
 * Tells which folders of a root something has happened in. Every watcher loses events, so this is only the fast way: what it tells
 * of is looked at again, and roots are reconciled by a look at everything from time to time as well.
 *
 * Linux: one watch for each folder, which is what the kernel counts (fs.watch would take one for each file below); elsewhere the
 * system watches a whole tree. Where no more watches are to be had, it says so and leaves it to the reconciling.
 */
import { type FSWatcher, watch } from 'node:fs'
import { join, sep } from 'node:path'
import { errorCode, errorMessage } from '@switchboard/base'
import type { RootPlace } from '../messages.ts'

/** Milliseconds in which what happens together is told together. */
const GATHER_MS = 40
const MAX_FOLDERS = 20_000
const IS_RECURSIVE = process.platform !== 'linux'

export interface FolderWatchHost {
  /** `trees`: what may have come with something in it. */
  onStirred(root: number, folders: readonly string[], trees: readonly string[]): void
  onState(root: number, state: 'watching' | 'polling', why?: string): void
}

interface WatchedRoot {
  readonly place: RootPlace
  readonly watchers: Map<string, FSWatcher>
  readonly stirred: Set<string>
  readonly trees: Set<string>
  timer: NodeJS.Timeout | undefined
  /** It gave up. */
  isBlind: boolean
}

export class FolderWatch {
  readonly #host: FolderWatchHost
  readonly #roots = new Map<number, WatchedRoot>()

  constructor(host: FolderWatchHost) {
    this.#host = host
  }

  /** Folders are added as they are walked through. */
  start(place: RootPlace): void {
    if (this.#roots.has(place.id)) return
    const root = {
      place,
      watchers: new Map<string, FSWatcher>(),
      stirred: new Set<string>(),
      trees: new Set<string>(),
      timer: undefined,
      isBlind: false,
    }
    this.#roots.set(place.id, root)
    this.#host.onState(place.id, 'watching')
    if (IS_RECURSIVE) this.#add(root, '')
  }

  stop(id: number): void {
    const root = this.#roots.get(id)
    if (root === undefined) return
    this.#roots.delete(id)
    clearTimeout(root.timer)
    for (const watcher of root.watchers.values()) watcher.close()
  }

  /** One that was seen while its root is watched. */
  addFolder(id: number, folder: string): void {
    const root = this.#roots.get(id)
    if (root === undefined || IS_RECURSIVE || root.isBlind || root.watchers.has(folder)) return
    this.#add(root, folder)
  }

  #add(root: WatchedRoot, folder: string): void {
    if (root.watchers.size >= MAX_FOLDERS) {
      this.#giveUp(root, `it has more than ${MAX_FOLDERS} folders`)
      return
    }
    try {
      const watcher = watch(
        join(root.place.path, folder),
        { recursive: IS_RECURSIVE, persistent: false },
        (event, name) => this.#onEvent(root, folder, event, name),
      )
      watcher.on('error', () => this.#drop(root, folder))
      root.watchers.set(folder, watcher)
    } catch (error) {
      const code = errorCode(error)
      if (code === 'ENOSPC' || code === 'EMFILE') this.#giveUp(root, errorMessage(error))
    }
  }

  #onEvent(root: WatchedRoot, folder: string, event: string, name: string | null): void {
    if (name === '.git' || name?.startsWith(`.git${sep}`) === true) return
    const path = name === null ? undefined : join(folder, name).split(sep).join('/')
    root.stirred.add(path === undefined ? folder : path.slice(0, Math.max(0, path.lastIndexOf('/'))))
    // It may be a folder that has come, with something in it before it was watched, or one of that name in another's place.
    if (event === 'rename' && path !== undefined) {
      root.trees.add(path)
      if (!IS_RECURSIVE) this.#dropTree(root, path)
    }
    root.timer ??= setTimeout(() => this.#tell(root), GATHER_MS)
  }

  #tell(root: WatchedRoot): void {
    root.timer = undefined
    const folders = [...root.stirred]
    const trees = [...root.trees]
    root.stirred.clear()
    root.trees.clear()
    if (this.#roots.get(root.place.id) === root) this.#host.onStirred(root.place.id, folders, trees)
  }

  #dropTree(root: WatchedRoot, path: string): void {
    if (!root.watchers.has(path)) return
    for (const folder of root.watchers.keys()) {
      if (folder === path || folder.startsWith(`${path}/`)) this.#drop(root, folder)
    }
  }

  #drop(root: WatchedRoot, folder: string): void {
    root.watchers.get(folder)?.close()
    root.watchers.delete(folder)
  }

  #giveUp(root: WatchedRoot, why: string): void {
    root.isBlind = true
    for (const watcher of root.watchers.values()) watcher.close()
    root.watchers.clear()
    this.#host.onState(root.place.id, 'polling', why)
  }
}
