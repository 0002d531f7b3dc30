/** Which part of which project a caller means. */
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isPathInside } from '@switchboard/base'
import { type Project, resolveFolder, resolveProject } from '../projects/projects.ts'

export interface Location {
  readonly project: Project
  /** A real path. */
  readonly root: string
  /** The same from the root of the project, with `/`; empty: all of it. */
  readonly folder: string
}

/** Without a path: the folder of the window. Throws a ToolError. */
export function locate(path: string | undefined, workspace: string | undefined): Location {
  const named = path ?? workspace
  const own = resolveProject(path, workspace)
  const root = named === undefined ? own.root : resolveFolder(named, workspace)
  const project = projectAround(own, workspace)
  return { project, root, folder: relative(project.root, root).split(sep).join('/') }
}

/** A folder that is no repository by itself is a part of the window's. */
function projectAround(own: Project, workspace: string | undefined): Project {
  if (workspace === undefined || existsSync(join(own.root, '.git'))) return own
  const outer = resolveProject(undefined, workspace)
  return isPathInside(outer.root, own.root) ? outer : own
}
