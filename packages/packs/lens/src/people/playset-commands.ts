/** `switchboard playset …` and `switchboard lens conflicts`: playsets are added by a person, and by nobody else. */
import { readText } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { type PersonCall, type PersonCommand, ToolError } from '@switchboard/toolkit'
import { toConflictData } from '../answers/show-conflict.ts'
import type { Host } from '../host.ts'
import type { OpenPlayset } from '../playset/playsets.ts'
import { readFilter, readRows, toJson } from './read-params.ts'

const FOR_EVER_MS = 24 * 3_600_000
const MAX_SHOWN_LOSERS = 8

export function createPlaysetCommands({ index, playsets }: Host): Readonly<Record<string, PersonCommand>> {
  const open = (params: JsonObject, call: PersonCall): Promise<OpenPlayset> => {
    const name = readFilter(params, 'name')
    return name === undefined
      ? playsets.open(undefined, call.workspace, call.signal)
      : playsets.openNamed(name, call.signal)
  }
  const judge = async (params: JsonObject, call: PersonCall) => {
    const folder = readFilter(params, 'modFolder')
    const opened =
      folder === undefined
        ? await open({ ...params, name: params.playset ?? '' }, call)
        : await playsets.openMod(folder, call.signal)
    const watching = index.onDidChange(({ queue, build }) => {
      const done = build?.files ?? 0
      call.progress({ done, total: done + queue.pending + queue.running, message: 'files' })
    })
    await index.waitForIdle(FOR_EVER_MS, call.signal).finally(() => watching.dispose())
    const { id, report } = await playsets.judge(opened)
    return { name: opened.name, layers: opened.judged.layers, id, report }
  }
  return {
    playset_list: async () => {
      const { added, active } = await playsets.list()
      return { playsets: added.map((one) => ({ ...one, isActive: one.name === active })) }
    },
    playset_add: async (params) => {
      const place = pick(params, ['name', 'within', 'gamePath', 'userFolder', 'workshopFolder'])
      const { added, playset } = await playsets.add({ ...place, path: readText(params, 'path', 'lens') })
      const { name } = added
      const { active } = await playsets.list()
      // The first one is the one that is meant.
      if (active === undefined) await playsets.activate(name)
      return { name, playset: toJson(playset), isActive: active === undefined }
    },
    playset_remove: async (params) => ({ isRemoved: await playsets.remove(readText(params, 'name', 'lens')) }),
    playset_use: async (params) => {
      const name = readText(params, 'name', 'lens')
      await playsets.activate(name)
      return { name }
    },
    playset_show: async (params, call) => {
      const { name, playset } = await open(params, call)
      return { name, playset: toJson(playset) }
    },
    conflicts: async (params, call) => {
      const { name, layers, id, report } = await judge(params, call)
      const page = await index.read('conflicts', [
        {
          playset: id,
          withIntended: params.intended === true,
          limit: readRows(params, 'limit', 50),
          offset: readRows(params, 'offset', 0),
          ...{
            class: readFilter(params, 'class'),
            mod: readFilter(params, 'mod'),
            folder: readFilter(params, 'folder'),
          },
          ...{ kind: readFilter(params, 'kind'), name: readFilter(params, 'key') },
        },
      ])
      const items = page.items.map((item) => toConflictData(item.id, item.conflict, layers))
      return {
        playset: name,
        report: toJson(report),
        layers: layers.map((layer) => layer.name),
        total: page.total,
        folders: [...page.folders],
        items: items.map((item) => toJson(item)),
      }
    },
    conflict: async (params, call) => {
      const { name, layers, id } = await judge(params, call)
      const ordinal = typeof params.id === 'number' ? params.id : -1
      const only = { playset: id, id: ordinal, withIntended: true, limit: 1, offset: 0 }
      const [item] = (await index.read('conflicts', [only])).items
      if (item === undefined) {
        throw new ToolError('E_CONFLICT_NOT_FOUND', `The playset ${name} has no conflict ${ordinal} any more`)
      }
      const { effective, losers } = item.conflict
      const shown = losers.slice(0, MAX_SHOWN_LOSERS)
      const places = effective === undefined ? shown : [effective, ...shown]
      const texts = await index.read('definitionTexts', [layers, places])
      const definitions = places.map((place, at) => ({
        ...{ layer: layers[place.layer]?.name ?? '?', path: place.path, isEffective: place === effective },
        ...(place.line === undefined ? {} : { line: place.line }),
        ...(texts[at] === undefined ? {} : texts[at]),
      }))
      const data = toConflictData(item.id, item.conflict, layers)
      return { playset: name, conflict: toJson(data), definitions, moreLosers: losers.length - shown.length }
    },
  }
}

function pick<K extends string>(params: JsonObject, names: readonly K[]): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {}
  for (const name of names) {
    const text = readFilter(params, name)
    if (text !== undefined) found[name] = text
  }
  return found
}
