/** `*.code-workspace` files: several folders under names, and configurations, tasks and settings for all of them. */
import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { nearestName } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import { readObject } from '../json-values.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { listObjects, readJsonFile, readText } from './json-file.ts'

export interface WorkspaceFolder {
  readonly name: string
  /** Absolute. */
  readonly path: string
}

export interface CodeWorkspace {
  /** The file's own name. */
  readonly shown: string
  readonly folders: readonly WorkspaceFolder[]
  readonly launch: JsonObject
  readonly tasks: JsonObject
  readonly settings: JsonObject
}

const ENDING = '.code-workspace'

/** Those that lie in the workspace itself. */
export function readCodeWorkspaces(paths: WorkspacePaths): readonly CodeWorkspace[] {
  const names = listNames(paths.root).filter((name) => name.endsWith(ENDING))
  return names.sort().flatMap((name) => {
    const content = readJsonFile(paths.root, name)
    return content === undefined ? [] : [readCodeWorkspace(content, name, paths.root)]
  })
}

function readCodeWorkspace(content: JsonObject, shown: string, root: string): CodeWorkspace {
  const folders = listObjects(content.folders).flatMap((folder) => {
    const path = readText(folder, 'path')
    if (path === undefined) return []
    const absolute = resolve(root, path)
    return [{ name: readText(folder, 'name') ?? basename(absolute), path: absolute }]
  })
  return {
    shown,
    folders,
    launch: readObject(content.launch),
    tasks: readObject(content.tasks),
    settings: readObject(content.settings),
  }
}

/** Every folder that `${workspaceFolder:name}` can mean; the workspace itself is one. */
export function listFolders(paths: WorkspacePaths, workspaces: readonly CodeWorkspace[]): readonly WorkspaceFolder[] {
  return [...workspaces.flatMap(({ folders }) => folders), { name: basename(paths.root), path: paths.root }]
}

/** A path, or the name of a folder of the workspace. */
export function findFolder(wanted: string, folders: readonly WorkspaceFolder[]): WorkspaceFolder {
  const found = folders.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  const names = folders.map(({ name }) => name)
  const nearest = nearestName(wanted, names)
  const guess = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
  throw new ToolError(
    'E_INVALID_LAUNCH',
    `The workspace has no folder "${wanted}"${guess}; it has ${names.map((name) => `"${name}"`).join(', ')}`,
    { details: { folders: names } },
  )
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
