/** From a descriptor to the folder of its mod, and from a mod to its layer. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { readForeignText } from '@switchboard/base'
import { type Descriptor, parseDescriptor } from './descriptor.ts'
import type { Layer } from './layer.ts'

const MAX_DESCRIPTOR = 1 << 20

export interface FoundMod {
  readonly descriptor: Descriptor
  /** Undefined: its files are not here. */
  readonly folder: string | undefined
}

function readDescriptor(path: string): Descriptor {
  return parseDescriptor(Buffer.from(readForeignText(path, { maxBytes: MAX_DESCRIPTOR })))
}

/** Of a `.mod` file or of a folder with `descriptor.mod`. Throws ForeignFileError. */
export function readMod(path: string): FoundMod {
  if (isFolder(path)) {
    const inside = join(path, 'descriptor.mod')
    const descriptor = existsSync(inside) ? readDescriptor(inside) : emptyDescriptor(basename(path))
    return { descriptor: named(descriptor, basename(path)), folder: path }
  }
  const descriptor = named(readDescriptor(path), basename(path, '.mod'))
  return { descriptor, folder: findFolder(path, descriptor) }
}

/** `mod/name` is meant from the folder that holds `mod/`; copies of a mod elsewhere have it beside the descriptor. */
function findFolder(descriptorPath: string, { path }: Descriptor): string | undefined {
  const beside = dirname(resolve(descriptorPath))
  const candidates =
    path === undefined
      ? [join(beside, basename(descriptorPath, '.mod'))]
      : isAbsolute(path)
        ? [path, join(beside, basename(path))]
        : [join(dirname(beside), path), join(beside, path), join(beside, basename(path))]
  // A descriptor that says no place lies inside of its mod.
  if (basename(descriptorPath) === 'descriptor.mod') candidates.unshift(beside)
  return candidates.find(isFolder)
}

export function toLayer({ descriptor, folder }: FoundMod & { readonly folder: string }): Layer {
  const { name, replacePaths, dependencies, version, supportedVersion, workshopId } = descriptor
  return {
    name,
    kind: 'mod',
    path: folder,
    replacePaths,
    dependencies,
    ...(version !== undefined && { version }),
    ...(supportedVersion !== undefined && { supportedVersion }),
    ...(workshopId !== undefined && { workshopId }),
  }
}

/**
 * The layers of the game itself, lowest first: `clausewitz` and `jomini` where they lie beside it, the game, and its DLCs. Takes
 * the folder of the installation or its `game` folder.
 */
export function gameLayers(path: string, disabledDlcs: readonly string[] = []): Layer[] {
  const game = isFolder(join(path, 'game', 'common')) ? join(path, 'game') : path
  const layer = (name: string, kind: Layer['kind'], folder: string): Layer => ({
    name,
    kind,
    path: folder,
    replacePaths: [],
    dependencies: [],
  })
  const engine = ['clausewitz', 'jomini'].map((name) => join(dirname(game), name)).filter(isFolder)
  const off = new Set(disabledDlcs.map((dlc) => basename(dirname(dlc))))
  const dlcs = listFolders(join(game, 'dlc')).filter((name) => !off.has(name))
  return [
    ...engine.map((folder) => layer(basename(folder), 'engine', folder)),
    layer('game', 'game', game),
    ...dlcs.map((name) => layer(name, 'dlc', join(game, 'dlc', name))),
  ]
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function listFolders(path: string): string[] {
  if (!isFolder(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

function named(descriptor: Descriptor, fallback: string): Descriptor {
  return descriptor.name === '' ? { ...descriptor, name: fallback } : descriptor
}

function emptyDescriptor(name: string): Descriptor {
  return { name, replacePaths: [], dependencies: [] }
}
