import type { Space } from '@switchboard/store'

/** The same space; `changed` is told after what may have changed a text was acknowledged. */
export function watchSpace(space: Space, changed: () => void): Space {
  return {
    put: async (items) => {
      await space.put(items)
      changed()
    },
    change: async (id, edit) => {
      const item = await space.change(id, edit)
      changed()
      return item
    },
    remove: (ids) => space.remove(ids),
    get: (id, options) => space.get(id, options),
    list: (query, options) => space.list(query, options),
    search: (query, options) => space.search(query, options),
    walk: (after, limit, options) => space.walk(after, limit, options),
    putVectors: (model, vectors) => space.putVectors(model, vectors),
    listWithoutVector: (model, limit, options) => space.listWithoutVector(model, limit, options),
    vectorsOf: (ids, options) => space.vectorsOf(ids, options),
    keepVectorsOf: (models) => space.keepVectorsOf(models),
  }
}
