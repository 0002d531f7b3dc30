/** `name.mod` beside a mod's folder, and `descriptor.mod` inside of it: the same script, with and without a path. */
import { parseScript } from '../script/parse-script.ts'
import type { ScriptTree } from '../script/tree.ts'

export interface Descriptor {
  readonly name: string
  /** As it is written: relative to the game's folder of the user, or absolute. */
  readonly path?: string
  /** Mods in one file, which the game unpacks and we do not. */
  readonly archive?: string
  readonly replacePaths: readonly string[]
  readonly dependencies: readonly string[]
  readonly version?: string
  readonly supportedVersion?: string
  readonly workshopId?: string
}

export function parseDescriptor(bytes: Uint8Array): Descriptor {
  const { tree } = parseScript(bytes)
  const scalar = (key: string): string | undefined => scalarsOf(tree, key).at(-1)
  const path = scalar('path')
  const archive = scalar('archive')
  const version = scalar('version')
  const supportedVersion = scalar('supported_version')
  const workshopId = scalar('remote_file_id')
  return {
    name: scalar('name') ?? '',
    ...(path !== undefined && { path: path.replaceAll('\\', '/') }),
    ...(archive !== undefined && { archive }),
    replacePaths: scalarsOf(tree, 'replace_path').map(normalizeFolder),
    dependencies: listOf(tree, 'dependencies'),
    ...(version !== undefined && { version }),
    ...(supportedVersion !== undefined && { supportedVersion }),
    ...(workshopId !== undefined && { workshopId }),
  }
}

/** In small letters, as the game's own folders are. */
function normalizeFolder(folder: string): string {
  return folder
    .toLowerCase()
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

function scalarsOf(tree: ScriptTree, key: string): string[] {
  const values: string[] = []
  for (let node = 0; node < tree.size; node = tree.next(node)) {
    if (!tree.isBlock(node) && tree.key(node) === key) values.push(tree.value(node))
  }
  return values
}

function listOf(tree: ScriptTree, key: string): string[] {
  const values: string[] = []
  for (let node = 0; node < tree.size; node = tree.next(node)) {
    if (!tree.isBlock(node) || tree.key(node) !== key) continue
    for (let child = tree.firstChild(node); child < tree.end(node); child = tree.next(child))
      values.push(tree.value(child))
  }
  return values
}
