/**
 * Lists of mods written as JSON, told by their shape: the game's `dlc_load.json`, the launcher's export, our own, and that of
 * ck3raven. Ours is
 *
 *     { "name": "mine", "game": "/games/ck3/game", "mods": ["/mods/a", { "path": "mod/b.mod", "enabled": false, "dependencies": ["A"] }] }
 *
 * with the lowest mod first, as in the launcher.
 */
import type { ListedMod, ModList } from './listed-mod.ts'
import { PlaysetError } from './playset-error.ts'

type Json = Readonly<Record<string, unknown>>

export function readJsonPlayset(path: string, text: string): ModList {
  const json = parse(path, text)
  if (Array.isArray(json.enabled_mods)) return ofDlcLoad(json, json.enabled_mods)
  if (!Array.isArray(json.mods)) {
    throw new PlaysetError(path, 'is no list of mods: it has neither "mods" nor "enabled_mods"')
  }
  const game = textOf(json.game) ?? textOf(isObject(json.vanilla) ? json.vanilla.path : undefined)
  // `game` of the launcher's export is the name of the game, not a place.
  const gamePath = game !== undefined && /[\\/]/.test(game) ? game : undefined
  return {
    name: textOf(json.name) ?? textOf(json.playset_name) ?? 'playset',
    mods: inPosition(json.mods).map((mod, index) => readMod(path, mod, index)),
    ...(gamePath !== undefined && { gamePath }),
    disabledDlcs: textsOf(json.disabled_dlcs),
  }
}

function ofDlcLoad(json: Json, enabled: readonly unknown[]): ModList {
  return {
    name: 'dlc_load',
    mods: textsOf(enabled).map((path) => ({ path, isEnabled: true, dependencies: [] })),
    disabledDlcs: textsOf(json.disabled_dlcs),
  }
}

/** By `position` or `load_order` where every entry has one, else as they stand. */
function inPosition(mods: readonly unknown[]): readonly unknown[] {
  const positions = mods.map((mod) =>
    isObject(mod) ? Number(mod.position ?? mod.load_order ?? Number.NaN) : Number.NaN,
  )
  if (positions.some(Number.isNaN)) return mods
  return mods
    .map((mod, index) => ({ mod, at: positions[index] ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ mod }) => mod)
}

function readMod(path: string, mod: unknown, index: number): ListedMod {
  if (typeof mod === 'string') return { path: mod, isEnabled: true, dependencies: [] }
  if (!isObject(mod)) throw new PlaysetError(path, `has at mods[${index}] neither a path nor an object`)
  const name = textOf(mod.displayName) ?? textOf(mod.name)
  const place = textOf(mod.path) ?? textOf(mod.dirPath)
  const workshopId = textOf(mod.steamId) ?? textOf(mod.steam_id) ?? textOf(mod.workshopId)
  if (name === undefined && place === undefined && workshopId === undefined) {
    throw new PlaysetError(path, `has at mods[${index}] neither "path" nor "name" nor "steamId"`)
  }
  return {
    ...(name !== undefined && { name }),
    ...(place !== undefined && { path: place }),
    ...(workshopId !== undefined && { workshopId }),
    isEnabled: mod.enabled !== false,
    dependencies: textsOf(mod.dependencies),
  }
}

function parse(path: string, text: string): Json {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new PlaysetError(path, 'is not JSON', error)
  }
  if (!isObject(json)) throw new PlaysetError(path, 'is no list of mods: an object with "mods" is wanted')
  return json
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
