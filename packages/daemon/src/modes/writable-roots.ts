/**
 * Whether a path lies within folders that may be written, links followed and `..` resolved, also when the path does not
 * exist yet. A program may resolve `..` before or after it follows links; both readings have to lie within.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { type PlatformPath, posix, win32 } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCode } from '@switchboard/base'
import { WORKSPACE_REFERENCE } from './mode-fields.ts'

/** The file system, as far as links go. All three throw as `node:fs` does, but for what is missing. */
export interface LinkReader {
  look(path: string): 'missing' | 'link' | 'other'
  realpath(path: string): string
  readlink(path: string): string
}

export interface WritableRootsOptions {
  readonly platform: NodeJS.Platform
  readonly userHome: string
  readonly links?: LinkReader
}

const DISK: LinkReader = {
  look: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? 'missing' : stats.isSymbolicLink() ? 'link' : 'other'
  },
  realpath: (path) => realpathSync.native(path),
  readlink: (path) => readlinkSync(path),
}

/** As many links as Linux follows. */
const MAX_LINKS = 40
/** No system takes a longer path. */
const MAX_LENGTH = { win32: 32_767, posix: 4_096 }
/** At the disk, for all the paths of one call: each takes its time from everybody. */
const MAX_LOOKS = 10_000

/** What the paths of one call share. */
export interface LookBudget {
  /** Looks at the disk. Below 0: there were too few. */
  left: number
  /** Where the roots really are, by how they were given. */
  readonly roots: Map<string, string | undefined>
}

export function createLookBudget(): LookBudget {
  return { left: MAX_LOOKS, roots: new Map() }
}

export class WritableRoots {
  readonly #path: PlatformPath
  readonly #platform: NodeJS.Platform
  readonly #userHome: string
  readonly #links: LinkReader

  constructor({ platform, userHome, links = DISK }: WritableRootsOptions) {
    this.#platform = platform
    this.#path = platform === 'win32' ? win32 : posix
    this.#userHome = userHome
    this.#links = links
  }

  isAbsolute(text: string): boolean {
    return this.#path.isAbsolute(text) || (this.#platform === 'win32' && /^[a-z]:/i.test(text))
  }

  /** As configured, for one caller. A root below a workspace that nobody told is left out. */
  resolveRoots(roots: readonly string[], workspace: string | undefined): string[] {
    return roots.flatMap((root) => {
      if (!root.startsWith(WORKSPACE_REFERENCE)) return [root]
      return workspace === undefined ? [] : [this.#path.join(workspace, root.slice(WORKSPACE_REFERENCE.length))]
    })
  }

  /**
   * `roots` as `resolveRoots` made them. What cannot be resolved lies nowhere, nor does anything once the budget is spent.
   */
  contains(
    roots: readonly string[],
    text: string,
    workspace: string | undefined,
    budget: LookBudget = createLookBudget(),
  ): boolean {
    if (text.length > MAX_LENGTH[this.#path === win32 ? 'win32' : 'posix']) return false
    const absolute = this.#toAbsolute(text, workspace)
    if (absolute === undefined) return false
    const readings = [this.#followLinks(this.#path.normalize(absolute), budget)]
    if (/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(absolute)) readings.push(this.#walk(absolute, budget))
    const real = roots.map((root) => {
      if (!budget.roots.has(root)) budget.roots.set(root, this.#followLinks(this.#path.normalize(root), budget))
      return budget.roots.get(root)
    })
    return readings.every((reading) => reading !== undefined && real.some((root) => this.#isWithin(root, reading)))
  }

  /** Undefined: it is relative and there is nothing to resolve it against, or no path at all. */
  #toAbsolute(text: string, workspace: string | undefined): string | undefined {
    if (text.includes('\0')) return undefined
    if (/^file:/i.test(text)) {
      try {
        return fileURLToPath(text, { windows: this.#platform === 'win32' })
      } catch {
        return undefined
      }
    }
    if (/^~(?:[/\\]|$)/.test(text)) return `${this.#userHome}${text.slice(1)}`
    // \\?\C:\x is C:\x, spelt so that Windows looks at nothing in between.
    const plain = this.#platform === 'win32' ? text.replace(/^[\\/]{2}\?[\\/](?=[a-z]:)/i, '') : text
    if (this.#platform === 'win32')
      return workspace === undefined && !this.isAbsolute(plain) ? undefined : this.#onWindows(plain, workspace)
    if (this.#path.isAbsolute(plain)) return plain
    // Joined by hand: `join` would resolve `..` before links are followed.
    return workspace === undefined ? undefined : `${workspace}/${plain}`
  }

  /** `C:x` and `\x` hang on a current folder or drive that only the server knows: taken for those of the workspace. */
  #onWindows(text: string, workspace: string | undefined): string | undefined {
    if (/^[a-z]:[\\/]/i.test(text) || /^[\\/]{2}/.test(text)) return text
    return workspace === undefined ? undefined : win32.resolve(workspace, text)
  }

  /** Of the deepest part that exists; the rest is put behind it. Undefined: it cannot be told. */
  #followLinks(path: string, budget: LookBudget): string | undefined {
    const rest: string[] = []
    let current = path
    for (let links = 0; links <= MAX_LINKS; ) {
      if (budget.left-- <= 0) return undefined
      const kind = this.#look(current)
      if (kind === 'unknown') return undefined
      if (kind !== 'missing') {
        const real = this.#realpath(current)
        if (real !== undefined) return this.#path.join(real, ...rest.toReversed())
        if (kind !== 'link') return undefined
        // It leads to what is not there yet: to write to it would make that.
        current = this.#path.resolve(this.#path.dirname(current), this.#links.readlink(current))
        links++
        continue
      }
      const parent = this.#path.dirname(current)
      if (parent === current) return this.#path.join(current, ...rest.toReversed())
      rest.push(this.#path.basename(current))
      current = parent
    }
    return undefined
  }

  #look(path: string): ReturnType<LinkReader['look']> | 'unknown' {
    try {
      return this.#links.look(path)
    } catch (error) {
      return isMissing(error) ? 'missing' : 'unknown'
    }
  }

  /** Undefined: it leads nowhere, or round in circles. */
  #realpath(path: string): string | undefined {
    try {
      return this.#links.realpath(path)
    } catch {
      return undefined
    }
  }

  /** As the kernel reads it: `..` is the parent of where a link led. */
  #walk(absolute: string, budget: LookBudget): string | undefined {
    const { root } = this.#path.parse(absolute)
    let current: string | undefined = root
    for (const part of absolute.slice(root.length).split(this.#platform === 'win32' ? /[\\/]+/ : /\/+/)) {
      if (current === undefined) return undefined
      if (part === '' || part === '.') continue
      current = part === '..' ? this.#path.dirname(current) : this.#followLinks(this.#path.join(current, part), budget)
    }
    return current
  }

  #isWithin(root: string | undefined, path: string): boolean {
    if (root === undefined) return false
    const relative = this.#path.relative(this.#fold(root), this.#fold(path))
    return relative === '' || !(relative === '..' || /^\.\.[/\\]/.test(relative) || this.#path.isAbsolute(relative))
  }

  /** Two spellings of one name on a file system that does not tell them apart. */
  #fold(path: string): string {
    return this.#platform === 'win32' || this.#platform === 'darwin' ? path.normalize('NFC').toLowerCase() : path
  }
}

function isMissing(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
