/**
 * Where configurations come from: `.vscode/launch.json` of the folder that is asked for, else of the workspace, else the
 * `launch` part of its `*.code-workspace` files and the launch.json of their folders. A name that several of these have
 * is refused with the folders to choose from; nothing is guessed.
 */
import { nearestName } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import type { CodeWorkspace } from './code-workspace.ts'
import { listObjects, readJsonFile, readText } from './json-file.ts'

const LAUNCH_FILE = '.vscode/launch.json'

export interface LaunchSource {
  /** As messages name it. */
  readonly shown: string
  /** What `${workspaceFolder}` means in it. */
  readonly folder: string
  readonly configurations: readonly JsonObject[]
  readonly compounds: readonly JsonObject[]
  readonly inputs: readonly JsonObject[]
}

export interface FoundConfiguration {
  readonly source: LaunchSource
  readonly raw: JsonObject
}

export interface FoundLaunch {
  readonly members: readonly FoundConfiguration[]
  /** Of a compound: before the first of its members. */
  readonly preLaunchTask?: { readonly task: unknown; readonly source: LaunchSource }
  readonly stopAll: boolean
}

/** Throws E_NOT_FOUND where there is none, E_INVALID_LAUNCH where one cannot be read. */
export function readSources(
  paths: WorkspacePaths,
  workspaces: readonly CodeWorkspace[],
  folder: string | undefined,
): readonly LaunchSource[] {
  const own = readFolder(folder ?? paths.root, paths)
  if (folder !== undefined) {
    if (own === undefined) throw new ToolError('E_NOT_FOUND', `There is no ${LAUNCH_FILE} in ${paths.show(folder)}`)
    return [own]
  }
  const others = workspaces.flatMap(({ shown, folders, launch }) => [
    toSource(launch, shown, folders[0]?.path ?? paths.root),
    ...folders.flatMap(({ path }) => (path === paths.root ? [] : (readFolder(path, paths) ?? []))),
  ])
  const sources = own === undefined ? others : [own, ...others]
  if (sources.length === 0) throw new ToolError('E_NOT_FOUND', `There is no ${LAUNCH_FILE} in the folder`)
  return sources
}

function readFolder(folder: string, paths: WorkspacePaths): LaunchSource | undefined {
  const shown = folder === paths.root ? LAUNCH_FILE : `${paths.show(folder)}/${LAUNCH_FILE}`
  const content = readJsonFile(folder, LAUNCH_FILE, shown)
  return content === undefined ? undefined : toSource(content, shown, folder)
}

function toSource(content: JsonObject, shown: string, folder: string): LaunchSource {
  return {
    shown,
    folder,
    configurations: listObjects(content.configurations),
    compounds: listObjects(content.compounds),
    inputs: listObjects(content.inputs),
  }
}

/** What a name stands for: one configuration, or those of a compound. */
export function findLaunch(
  sources: readonly LaunchSource[],
  name: string,
  folderOf: (name: string) => string | undefined,
): FoundLaunch {
  const single = findOne(sources, name, 'configurations')
  if (single !== undefined) return { members: [single], stopAll: false }
  const compound = findOne(sources, name, 'compounds')
  if (compound === undefined) throw notFound(sources, name)
  const { raw, source } = compound
  const members = (Array.isArray(raw.configurations) ? raw.configurations : []).map((member: unknown) =>
    findMember(sources, source, name, member, folderOf),
  )
  if (members.length === 0) throw new ToolError('E_INVALID_LAUNCH', `The compound "${name}" has no configurations`)
  return {
    members,
    ...(raw.preLaunchTask === undefined ? {} : { preLaunchTask: { task: raw.preLaunchTask, source } }),
    stopAll: raw.stopAll === true,
  }
}

/** The first source is the one that was asked for; of the others there must be one only. */
function findOne(
  sources: readonly LaunchSource[],
  name: string,
  kind: 'configurations' | 'compounds',
): FoundConfiguration | undefined {
  const found = sources.flatMap((source) => {
    const raw = source[kind].find((candidate) => candidate.name === name)
    return raw === undefined ? [] : [{ source, raw }]
  })
  const [first] = found
  if (found.length < 2 || first?.source === sources[0]) return first
  const places = found.map(({ source }) => source.shown)
  throw new ToolError('E_INVALID_LAUNCH', `"${name}" is in ${places.join(' and ')}: say which with \`folder\``, {
    details: { places },
  })
}

function findMember(
  sources: readonly LaunchSource[],
  own: LaunchSource,
  compound: string,
  member: unknown,
  folderOf: (name: string) => string | undefined,
): FoundConfiguration {
  const name = isJsonObject(member) ? member.name : member
  const wanted = isJsonObject(member) ? readText(member, 'folder') : undefined
  const folder = wanted === undefined ? undefined : folderOf(wanted)
  const inFolder = sources.filter((source) => folder !== undefined && source.folder === folder)
  for (const source of [...inFolder, own, ...(folder === undefined ? sources : [])]) {
    const raw = source.configurations.find((candidate) => candidate.name === name)
    if (raw !== undefined) return { source, raw }
  }
  throw new ToolError('E_INVALID_LAUNCH', `The compound "${compound}" names "${String(name)}", which is not there`)
}

function notFound(sources: readonly LaunchSource[], name: string): ToolError {
  const names = sources.flatMap(({ configurations, compounds }) =>
    [...configurations, ...compounds].flatMap((entry) => (typeof entry.name === 'string' ? [entry.name] : [])),
  )
  const nearest = nearestName(name, names)
  const guess = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
  const known = names.length === 0 ? 'it has none' : `it has ${names.map((one) => `"${one}"`).join(', ')}`
  const where = sources.map(({ shown }) => shown).join(', ')
  return new ToolError('E_NOT_FOUND', `${where} has no configuration "${name}"${guess}; ${known}`, {
    details: { names },
  })
}
