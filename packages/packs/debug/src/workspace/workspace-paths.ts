/**
 * Between the paths that agents write and read, and the absolute ones of the engines. Agents see files of the workspace
 * relative to it, with forward slashes, and of others only the name: where a home lies is nobody's business. Nothing is
 * ever written outside of the workspace.
 */
import { existsSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isPathInside } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'

const OUTSIDE = '<outside>'

export class WorkspacePaths {
  /** Real, so that it is the same as in what engines tell. */
  readonly root: string
  readonly #given: string
  /** The workspace wherever it stands in a text, at the beginning of a path. */
  readonly #inText: RegExp | undefined

  constructor(workspace: string) {
    this.#given = resolve(workspace)
    this.root = findRealPath(this.#given)
    this.#inText = createRootPattern([this.root, this.#given])
  }

  /** Absolute; relative ones are the workspace's. Need not exist. */
  resolve(path: string): string {
    const absolute = isAbsolute(path) ? resolve(path) : this.#resolveRelative(path)
    return isPathInside(this.#given, absolute) ? join(this.root, relative(this.#given, absolute)) : absolute
  }

  /** Backslashes of Windows are understood everywhere, unless a file is really called so. */
  #resolveRelative(path: string): string {
    const absolute = resolve(this.root, path)
    if (sep === '\\' || !path.includes('\\') || existsSync(absolute)) return absolute
    return resolve(this.root, path.replaceAll('\\', '/'))
  }

  /** Of a file that exists, its real path: breakpoints are set by that. Throws E_FILE_NOT_FOUND. */
  resolveFile(path: string): string {
    const absolute = this.resolve(path)
    if (!isFile(absolute)) {
      throw new ToolError('E_FILE_NOT_FOUND', `There is no file ${this.show(absolute)} in the workspace`, {
        details: { path },
      })
    }
    return findRealPath(absolute)
  }

  /** As `resolveFile`, also of one that is gone. */
  resolveReal(path: string): string {
    return findRealPath(this.resolve(path))
  }

  /** Where something is to be written. Throws E_OUTSIDE_WORKSPACE, also when a link leads outside. */
  resolveForWriting(path: string): string {
    const absolute = this.resolve(path)
    if (isPathInside(this.root, absolute) && isPathInside(this.root, findRealAncestor(absolute))) return absolute
    throw new ToolError('E_OUTSIDE_WORKSPACE', `${path} is not in the workspace; nothing is written outside of it`, {
      details: { path },
    })
  }

  contains(path: string): boolean {
    return isPathInside(this.root, path) || isPathInside(this.#given, path)
  }

  /** As agents read it. What is no absolute path (`node:internal/…`) stays as it is. */
  show(path: string): string {
    if (!isAbsolute(path)) return path
    for (const root of [this.root, this.#given]) {
      if (isPathInside(root, path)) return relative(root, path).split(sep).join('/') || '.'
    }
    return `${OUTSIDE}/${basename(path)}`
  }

  /** What a program or a debugger printed, with paths of the workspace as agents write them. */
  showIn(text: string): string {
    return this.#inText === undefined ? text : text.replace(this.#inText, '')
  }
}

function createRootPattern(roots: readonly string[]): RegExp | undefined {
  // Of a workspace that is a whole disk nothing would be left.
  const forms = [...new Set(roots)]
    .filter((root) => dirname(root) !== root)
    .flatMap((root) => [`${pathToFileURL(root).href}/`, `file://${root}/`, `${root}${sep}`])
    .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return forms.length === 0 ? undefined : new RegExp(`(?<![\\w./-])(?:${forms.join('|')})`, 'g')
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function findRealPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** As many links as Linux follows. */
const MAX_LINKS = 40

/** Of the path itself, else of the nearest folder above that exists. A link that dangles counts as where it leads. */
function findRealAncestor(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    if (parent === path || links > MAX_LINKS) return path
    const folder = findRealAncestor(parent, links)
    const target = readLink(path)
    return target === undefined ? join(folder, basename(path)) : findRealAncestor(resolve(folder, target), links + 1)
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
