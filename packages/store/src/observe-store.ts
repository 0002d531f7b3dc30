/** A store whose every operation is measured: how long it took, waits included, and whether it was done. Of any engine. */
import type { SearchAnswer, Space, Store } from './store.ts'

export interface StoreOperation {
  /** A method of a space, or `check`, `backup` … of the store. */
  readonly name: string
  readonly space?: string
  readonly milliseconds: number
  readonly isDone: boolean
  /** Of a search: how many were found. */
  readonly hits?: number
}

export interface StoreObserver {
  onBegun(): void
  onEnded(operation: StoreOperation): void
}

/** Of the store itself: these are asked for again and again only to look. */
const UNMEASURED: ReadonlySet<string> = new Set(['space', 'status', 'close'])

export function observeStore(store: Store, observer: StoreObserver): Store {
  const spaces = new Map<string, Promise<Space>>()
  const openSpace = (name: string): Promise<Space> => {
    const known = spaces.get(name) ?? store.space(name).then((space) => measureAll(space, observer, new Set(), name))
    spaces.set(name, known)
    // One that could not be opened is tried again.
    known.catch(() => spaces.delete(name))
    return known
  }
  const measured = measureAll(store, observer, UNMEASURED)
  return new Proxy(measured, {
    get: (target, key) => (key === 'space' ? openSpace : Reflect.get(target, key)),
  })
}

/** Whatever methods it has: each answers with a promise. */
function measureAll<T extends object>(
  target: T,
  observer: StoreObserver,
  unmeasured: ReadonlySet<string>,
  space?: string,
): T {
  return new Proxy(target, {
    get: (_, key) => {
      const method: unknown = Reflect.get(target, key)
      if (typeof method !== 'function' || typeof key !== 'string') return method
      if (unmeasured.has(key)) return method.bind(target)
      const what = space === undefined ? { name: key } : { name: key, space }
      return (...input: unknown[]) => measure(observer, what, () => Reflect.apply(method, target, input))
    },
  })
}

async function measure(
  observer: StoreObserver,
  what: Pick<StoreOperation, 'name' | 'space'>,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const begun = performance.now()
  const end = (more: Pick<StoreOperation, 'isDone' | 'hits'>): void =>
    observer.onEnded({ ...what, milliseconds: performance.now() - begun, ...more })
  observer.onBegun()
  try {
    const result = await work()
    // Only `search` is called so, and this is what it answers.
    const hits = what.name === 'search' ? { hits: (result as SearchAnswer).hits.length } : {}
    end({ isDone: true, ...hits })
    return result
  } catch (error) {
    end({ isDone: false })
    throw error
  }
}
