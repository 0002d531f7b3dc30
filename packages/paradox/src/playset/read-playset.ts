/**
 * From any list of mods to layers: `dlc_load.json`, the launcher's export and its database, our JSON, one `.mod` file, one mod's
 * folder. What cannot be found is left out and told, never an error: a playset with a missing mod is still worth a look.
 */
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { readForeignText } from '@switchboard/base'
import { readJsonPlayset } from './json-playset.ts'
import { readLauncherDatabase } from './launcher-database.ts'
import type { Layer, LeftMod, Playset } from './layer.ts'
import type { ListedMod, ModList } from './listed-mod.ts'
import {
  type FoundMod,
  findDescriptor,
  gameLayers,
  inOtherLetters,
  isFolder,
  placesOfDrive,
  readMod,
  toLayer,
} from './mod-folders.ts'
import { PlaysetError } from './playset-error.ts'

export interface PlaysetOptions {
  /** Which playset of the launcher's database. Default: the active one. */
  readonly name?: string
  /** The folder of the installation or its `game` folder; without it the playset has no layer of the game. */
  readonly gamePath?: string
  /** The game's folder of the user, which holds `mod/`. Default: the one that the list lies in. */
  readonly userFolder?: string
  /** Where Steam keeps the mods of the game by their numbers (`…/workshop/content/1158310`). */
  readonly workshopFolder?: string
}

const MAX_LIST = 16 << 20

/** Throws PlaysetError or ForeignFileError. */
export function readPlayset(path: string, options: PlaysetOptions = {}): Playset {
  return toPlayset(path, readModList(path, options), options)
}

/** The names of the playsets in a file, the active one first. */
export function listPlaysets(path: string): string[] {
  if (!isDatabase(path)) return [readModList(path, {}).name]
  return readLauncherDatabase(path)
    .sort((a, b) => Number(b.isActive) - Number(a.isActive))
    .map(({ name }) => name)
}

function readModList(path: string, { name }: PlaysetOptions): ModList {
  if (isFolder(path) || path.endsWith('.mod')) {
    return {
      name: basename(path, '.mod'),
      mods: [{ path: resolve(path), isEnabled: true, dependencies: [] }],
      disabledDlcs: [],
    }
  }
  if (!isDatabase(path)) return readJsonPlayset(path, readForeignText(path, { maxBytes: MAX_LIST }))
  const playsets = readLauncherDatabase(path)
  const wanted =
    name === undefined
      ? (playsets.find(({ isActive }) => isActive) ?? playsets[0])
      : playsets.find((playset) => playset.name === name)
  if (wanted !== undefined) return wanted
  const known = playsets.map((playset) => `"${playset.name}"`).join(', ')
  throw new PlaysetError(
    path,
    name === undefined ? 'has no playset' : `has no playset "${name}", but ${known || 'none'}`,
  )
}

function isDatabase(path: string): boolean {
  return path.endsWith('.sqlite') || path.endsWith('.db')
}

function toPlayset(path: string, list: ModList, options: PlaysetOptions): Playset {
  const gamePath = options.gamePath ?? list.gamePath
  const layers: Layer[] = gamePath === undefined ? [] : gameLayers(gamePath, list.disabledDlcs)
  const left: LeftMod[] = []
  const notes: string[] = []
  for (const mod of list.mods) {
    const name = mod.name ?? (mod.path === undefined ? (mod.workshopId ?? '?') : basename(mod.path, '.mod'))
    const place = mod.path === undefined ? {} : { path: mod.path }
    const found = mod.isEnabled ? findMod(path, mod, options) : undefined
    const twin = layers.find((layer) => layer.path === found?.folder)
    if (!mod.isEnabled) left.push({ name, reason: 'disabled', ...place })
    else if (found?.folder === undefined) {
      left.push({ name, reason: 'missing', ...place })
      const archive = found?.descriptor.archive
      notes.push(
        archive === undefined
          ? `${name} is enabled, but its files are not found${mod.path === undefined ? '' : ` (${mod.path})`}`
          : `${name} is packed in ${archive}, which is not read: unpack it, and name its folder`,
      )
    } else if (twin !== undefined) notes.push(`${name} is listed twice: ${twin.name} has the same folder, and stays`)
    else {
      const layer = toLayer({ ...found, folder: found.folder })
      // A folder without a descriptor is called as the list calls it.
      const isNamed = layer.name !== basename(layer.path)
      layers.push({
        ...layer,
        name: isNamed ? layer.name : (mod.name ?? layer.name),
        dependencies: [...new Set([...layer.dependencies, ...mod.dependencies])],
      })
    }
  }
  return { name: list.name, layers, left, warnings: [...notes, ...findWarnings(layers)] }
}

/** Where its files are not here, its descriptor may be. */
function findMod(listPath: string, mod: ListedMod, options: PlaysetOptions): FoundMod | undefined {
  const found = findAtPlaces(listPath, mod, options)
  if (found !== undefined) return found
  const folder = join(options.userFolder ?? dirname(resolve(listPath)), 'mod')
  const { name, workshopId } = mod
  const descriptor =
    (workshopId === undefined ? undefined : findDescriptor(folder, (one) => one.workshopId === workshopId)) ??
    (name === undefined ? undefined : findDescriptor(folder, (one) => one.name === name))
  return descriptor === undefined ? undefined : findAtPlaces(listPath, { ...mod, path: descriptor }, options)
}

function findAtPlaces(listPath: string, mod: ListedMod, options: PlaysetOptions): FoundMod | undefined {
  const { workshopFolder } = options
  const folder = options.userFolder ?? dirname(resolve(listPath))
  const places = [mod.path, mod.otherPath].flatMap((path) => (path === undefined ? [] : placesOf(path, folder)))
  if (mod.workshopId !== undefined) {
    places.push(join(folder, 'mod', `ugc_${mod.workshopId}.mod`))
    if (workshopFolder !== undefined) places.push(join(workshopFolder, mod.workshopId))
  }
  if (mod.name !== undefined) places.push(join(folder, 'mod', `${mod.name}.mod`), join(folder, 'mod', mod.name))
  let described: FoundMod | undefined
  for (const place of [...places, ...places.flatMap((one) => inOtherLetters(one) ?? [])]) {
    const found = tryRead(place)
    if (found?.folder !== undefined) return { ...found, descriptor: described?.descriptor ?? found.descriptor }
    described ??= found
  }
  const workshopId = described?.descriptor.workshopId
  if (described === undefined || workshopId === undefined || workshopFolder === undefined) return described
  const downloaded = join(workshopFolder, workshopId)
  return isFolder(downloaded) ? { ...described, folder: downloaded } : described
}

/** As it is written, and as it is meant: lists made on Windows are opened elsewhere too, where a drive is no beginning. */
function placesOf(path: string, folder: string): string[] {
  const slashed = path.replaceAll('\\', '/')
  const places = [...new Set([path, slashed])].map((one) => (isAbsolute(one) ? one : join(folder, one)))
  const ofDrive = placesOfDrive(slashed)
  if (ofDrive.length > 0) places.push(...ofDrive, join(folder, 'mod', basename(slashed)))
  return places
}

function tryRead(place: string): FoundMod | undefined {
  try {
    return isFolder(place) || /\.mod$/i.test(place) ? readMod(place) : undefined
  } catch {
    // Not there, or not to be read: the next place may be.
    return undefined
  }
}

function findWarnings(layers: readonly Layer[]): string[] {
  const warnings: string[] = []
  for (const [index, layer] of layers.entries()) {
    for (const dependency of layer.dependencies) {
      const at = layers.findIndex(({ name }) => name === dependency)
      if (at < 0) warnings.push(`${layer.name} depends on ${dependency}, which is not in the playset`)
      else if (at > index)
        warnings.push(`${layer.name} depends on ${dependency}, which comes after it in the load order`)
    }
  }
  const names = layers.map(({ name }) => name)
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index))) {
    warnings.push(`${name} is there more than once`)
  }
  return warnings
}
