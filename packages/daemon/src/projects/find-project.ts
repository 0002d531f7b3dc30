/**
 * Which project a window's folder belongs to: the nearest folder, from its own up to the root of its repository, that holds a
 * configuration. The home of a person is no project, nor is what lies above it: `~/.switchboard` is our own.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isPathInside } from '@switchboard/base'
import { createShortHash } from '@switchboard/protocol/naming'

/** The first wins. */
export const PROJECT_FILES = ['.switchboard/config.json', '.mcp.json'] as const
export type ProjectFileName = (typeof PROJECT_FILES)[number]

export interface OwnFolders {
  /** Of Switchboard. */
  readonly home: string
  /** Of the person. */
  readonly userHome: string
}

export interface FoundProject {
  /** Without links. */
  readonly folder: string
  readonly hasFiles: boolean
}

/** Far above any repository. */
const MAX_LEVELS = 64

/** Undefined: nothing there can be a project. A few looks at the disk, and nothing is read. */
export function findProject(workspace: string, own: OwnFolders): FoundProject | undefined {
  const start = resolveReal(workspace)
  if (start === undefined) return undefined
  const userHome = resolveReal(own.userHome) ?? own.userHome
  if (isPathInside(start, userHome)) return undefined
  const folders = listFolders(start, userHome)
  const found = folders.find((folder) => PROJECT_FILES.some((file) => isThere(join(folder, file), own)))
  return { folder: found ?? start, hasFiles: found !== undefined }
}

/** What tells projects apart in names that people and models read: `site-3f2a1c`. */
export function createProjectId(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 24)
  return `${name === '' ? 'project' : name}-${createShortHash(folder).slice(0, 6)}`
}

/** Up to the root of the repository; without one, what lies above is not asked. */
function listFolders(start: string, userHome: string): string[] {
  const folders: string[] = []
  for (let folder = start; folders.length < MAX_LEVELS; folder = dirname(folder)) {
    if (isPathInside(folder, userHome)) break
    folders.push(folder)
    if (existsSync(join(folder, '.git'))) return folders
    if (folder === dirname(folder)) break
  }
  return [start]
}

/** A link that leads nowhere is there as well: it is told of, not passed over. */
function isThere(path: string, own: OwnFolders): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined && !isOwnFile(path, own)
}

/** Whoever keeps Switchboard's home in a project has its configuration there, and that is the person's. */
export function isOwnFile(path: string, { home }: OwnFolders): boolean {
  return resolveReal(dirname(path)) === resolveReal(home)
}

function resolveReal(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
