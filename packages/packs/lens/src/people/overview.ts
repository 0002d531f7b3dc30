/** The whole index as a person sees it: every root, what is being done, and which playsets there are. No agent is told this. */
import type { PersonCommand } from '@switchboard/toolkit'
import type { Host } from '../host.ts'
import { isModFolder } from '../playset/paradox-workspace.ts'
import { toJson } from './read-params.ts'

export function createOverviewCommands({ index, playsets }: Host): Readonly<Record<string, PersonCommand>> {
  return {
    overview: async () => {
      const { added, active } = await playsets.list()
      const named = added.map(({ name }) => ({ name, isActive: name === active }))
      if (!index.exists) return { isBuilt: false, roots: [], playsets: named, state: null }
      const state = await index.refresh()
      const known = await index.read('roots', [])
      const roots = await Promise.all(
        known.map(async ({ id, path, kind }) => {
          const { about, roots, languages, failed } = await index.read('status', [
            [{ root: id, rootPath: path, folder: '' }],
          ])
          const age = await index.read('stale', [id, path])
          return { ...toJson({ ...roots[0], about, languages, failed, ...age }), kind, isMod: isModFolder(path) }
        }),
      )
      return { isBuilt: true, roots, playsets: named, state: toJson(state ?? null) }
    },
    /** As it was told last: nothing is started or read for it. */
    state: async () => ({ state: toJson(index.state ?? null) }),
  }
}
