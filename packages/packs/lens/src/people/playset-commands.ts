/** `switchboard playset …` and `switchboard lens conflicts`: playsets are added by a person, and by nobody else. */
import type { JsonObject } from '@switchboard/protocol'
import type { PersonCall, PersonCommand } from '@switchboard/toolkit'
import { toConflictData } from '../answers/show-conflict.ts'
import type { Host } from '../host.ts'
import type { OpenPlayset } from '../playset/playsets.ts'
import { needText, readNumber, readText, toJson } from './read-params.ts'

const FOR_EVER_MS = 24 * 3_600_000

export function createPlaysetCommands({ index, playsets }: Host): Readonly<Record<string, PersonCommand>> {
  const open = (params: JsonObject, call: PersonCall): Promise<OpenPlayset> => {
    const name = readText(params, 'name')
    return name === undefined
      ? playsets.open(undefined, call.workspace, call.signal)
      : playsets.openNamed(name, call.signal)
  }
  return {
    playset_list: async () => {
      const { added, active } = await playsets.list()
      return { playsets: added.map((one) => ({ ...one, isActive: one.name === active })) }
    },
    playset_add: async (params) => {
      const place = pick(params, ['name', 'within', 'gamePath', 'userFolder', 'workshopFolder'])
      const { added, playset } = await playsets.add({ ...place, path: needText(params, 'path') })
      const { name } = added
      const { active } = await playsets.list()
      // The first one is the one that is meant.
      if (active === undefined) await playsets.activate(name)
      return { name, playset: toJson(playset), isActive: active === undefined }
    },
    playset_remove: async (params) => ({ isRemoved: await playsets.remove(needText(params, 'name')) }),
    playset_use: async (params) => {
      const name = needText(params, 'name')
      await playsets.activate(name)
      return { name }
    },
    playset_show: async (params, call) => {
      const { name, playset } = await open(params, call)
      return { name, playset: toJson(playset) }
    },
    conflicts: async (params, call) => {
      const { name, judged } = await open({ ...params, name: params.playset ?? '' }, call)
      const watching = index.onDidChange(({ queue, build }) => {
        const done = build?.files ?? 0
        call.progress({ done, total: done + queue.pending + queue.running, message: 'files' })
      })
      await index.waitForIdle(FOR_EVER_MS, call.signal).finally(() => watching.dispose())
      const { id, report } = await index.write('judge', [judged])
      const page = await index.read('conflicts', [
        {
          playset: id,
          withIntended: params.intended === true,
          limit: readNumber(params, 'limit') ?? 50,
          offset: 0,
          ...{ class: readText(params, 'class'), mod: readText(params, 'mod'), folder: readText(params, 'folder') },
          ...{ kind: readText(params, 'kind'), name: readText(params, 'key') },
        },
      ])
      const items = page.items.map((item) => toConflictData(item.id, item.conflict, judged.layers))
      return {
        playset: name,
        report: toJson(report),
        total: page.total,
        folders: [...page.folders],
        items: items.map((item) => toJson(item)),
      }
    },
  }
}

function pick<K extends string>(params: JsonObject, names: readonly K[]): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {}
  for (const name of names) {
    const text = readText(params, name)
    if (text !== undefined) found[name] = text
  }
  return found
}
