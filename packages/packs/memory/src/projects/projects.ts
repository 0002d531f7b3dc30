/**
 * Whose what is stored is. A project is the real path of its folder, or of the repository around it, so that every way to it
 * and every folder below it is the same project. Two clones of one repository are two projects: what a folder says of its
 * origin is what its owner wrote there, and a stranger's clone must not open the memory of the person's own.
 * Nothing is believed of a path that a caller names:
 *
 * 1. It is absolute, has no `..`, and is a folder that is there.
 * 2. It lies in the caller's workspace, where the caller has one, whatever links are on the way.
 */
import { createHash } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isPathInside } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'

export interface Project {
  /** Of everything that belongs to it in the store. */
  readonly scope: string
  /** The real path of its folder. */
  readonly root: string
}

/** Whose what is that a window without a folder does. */
export const NOBODY = 'nobody'

/** What every project may see. */
export const SHARED_SCOPE = 'shared'

/** A folder that a caller names, judged. Throws a ToolError. */
export function resolveFolder(path: string, workspace: string | undefined): string {
  if (!isAbsolute(path)) throw new ToolError('E_PATH_INVALID', `"${path}" is not an absolute path`)
  if (path.split(/[\\/]/).includes('..')) throw new ToolError('E_PATH_INVALID', `"${path}" has a \`..\` in it`)
  const real = findFolder(path)
  if (real === undefined) throw new ToolError('E_PATH_INVALID', `"${path}" is not a folder that is there`)
  const root = workspace === undefined ? undefined : findFolder(workspace)
  if (root !== undefined && !isPathInside(root, real)) {
    throw new ToolError('E_OUTSIDE_WORKSPACE', `"${path}" is outside of ${workspace}, the folder of this window`)
  }
  return real
}

/** The named project, else that of the caller's workspace. Throws a ToolError. */
export function resolveProject(path: string | undefined, workspace: string | undefined): Project {
  const named = path ?? workspace
  if (named === undefined) {
    throw new ToolError('E_NO_PROJECT', 'Nobody knows which project this is about: your window has told no folder')
  }
  // The workspace itself was told by the window, not by the agent.
  const folder = path === undefined ? (findFolder(named) ?? named) : resolveFolder(path, workspace)
  return toProject(folder)
}

/** Of the project around a workspace, as its window has told it. */
export function scopeOf(workspace: string): string {
  return toProject(findFolder(workspace) ?? workspace).scope
}

function toProject(folder: string): Project {
  const root = findRepository(folder) ?? folder
  return { root, scope: `project:${createHash('sha256').update(root).digest('hex').slice(0, 32)}` }
}

/** All that a caller of that workspace may see. */
export function scopesOf(workspace: string | undefined): string[] {
  return workspace === undefined ? [SHARED_SCOPE] : [scopeOf(workspace), SHARED_SCOPE]
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

/**
 * The nearest folder at or above it that git knows as the top of one. The person's home is none: who keeps dotfiles in a
 * repository there would have one memory for everything.
 */
function findRepository(folder: string): string | undefined {
  const home = findFolder(homedir())
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (at !== home && existsSync(join(at, '.git'))) return at
  }
  return undefined
}
