/** Looks at everything in a store. A search index that does not hold what is stored is made anew; nothing else is changed. */
import { openStore, type Store, type StoreCheck } from '@switchboard/store'
import type { PersonCall } from '@switchboard/toolkit'

/** Rejects with `store_newer`, `store_damaged` and the like. */
export async function checkStore(
  store: Store,
  progress: PersonCall['progress'] = () => undefined,
): Promise<StoreCheck & { readonly items: number }> {
  const { items } = await store.status()
  const names = Object.keys(items)
  for (const [done, name] of names.entries()) {
    progress({ done, total: names.length, message: name })
    // Each is of a version of its own.
    await store.space(name)
  }
  return { ...(await store.check()), items: Object.values(items).reduce((sum, count) => sum + count, 0) }
}

/** Of a home whose daemon does not run: the file, which is there, or the server. */
export async function checkStoreAt(place: {
  readonly file: string
  readonly url?: string | undefined
}): ReturnType<typeof checkStore> {
  const store = await openStore(place)
  try {
    return await checkStore(store)
  } finally {
    await store.close()
  }
}
