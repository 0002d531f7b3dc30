/** From a descriptor to the folder of its mod, and from a mod to its layer. */
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
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

/** The launcher's export may know no more of a mod than what it is called: its descriptor, whatever that file is called. */
export function findDescriptor(folder: string, isWanted: (descriptor: Descriptor) => boolean): string | undefined {
  return listNames(folder, (entry) => entry.isFile() && /\.mod$/i.test(entry.name))
    .map((name) => join(folder, name))
    .find((path) => {
      try {
        return isWanted(readDescriptor(path))
      } catch {
        return false
      }
    })
}

/** `mod/name` is meant from the folder that holds `mod/`; copies of a mod elsewhere have it beside the descriptor. */
function findFolder(descriptorPath: string, { path }: Descriptor): string | undefined {
  const beside = dirname(resolve(descriptorPath))
  const candidates =
    path === undefined
      ? [join(beside, basename(descriptorPath, '.mod'))]
      : isAbsolute(path)
        ? [path, join(beside, basename(path))]
        : [join(dirname(beside), path), join(beside, path), ...placesOfDrive(path), join(beside, basename(path))]
  // A descriptor that says no place lies inside of its mod.
  if (basename(descriptorPath) === 'descriptor.mod') candidates.unshift(beside)
  return candidates.find(isFolder) ?? candidates.map(inOtherLetters).find((found) => found !== undefined)
}

/** Where a path of Windows (`C:/…`, with slashes) is found from Linux on the same machine: in WSL, and in Wine. */
export function placesOfDrive(path: string): string[] {
  const [whole, drive = '', rest = ''] = /^([A-Za-z]):(\/.*)$/.exec(path) ?? []
  return whole === undefined ? [] : [`/mnt/${drive.toLowerCase()}${rest}`, rest]
}

/** The folder as it is written on the disk: lists made on Windows do not care for capitals. Only its last two names are looked for. */
export function inOtherLetters(path: string): string | undefined {
  const above = dirname(path)
  const parent = isFolder(above) ? above : namedLike(dirname(above), basename(above))
  return parent === undefined ? undefined : namedLike(parent, basename(path))
}

function namedLike(folder: string, name: string): string | undefined {
  const found = listFolders(folder).find((one) => one.toLowerCase() === name.toLowerCase())
  return found === undefined ? undefined : join(folder, found)
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
  return listNames(path, (entry) => entry.isDirectory())
}

function listNames(path: string, isWanted: (entry: Dirent) => boolean): string[] {
  if (!isFolder(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .filter(isWanted)
    .map(({ name }) => name)
    .sort()
}

function named(descriptor: Descriptor, fallback: string): Descriptor {
  return descriptor.name === '' ? { ...descriptor, name: fallback } : descriptor
}

function emptyDescriptor(name: string): Descriptor {
  return { name, replacePaths: [], dependencies: [] }
}
