/** Whether a client starts a server that stands in its list: some say beside the list which they start. */
import type { ServerList } from '../client-places.ts'
import { findInList } from './edit-list.ts'

/** The key of the list that keeps it from being started, as `mcp.allowed`; undefined: none does. `value`: the whole file. */
export function findBarrier(
  value: unknown,
  { allowed = [], excluded = [] }: ServerList,
  name: string,
): string | undefined {
  const read = (path: readonly string[]): readonly unknown[] | undefined => {
    const list = findInList(value, path)
    return Array.isArray(list) ? list : undefined
  }
  const barrier =
    allowed.find((path) => read(path)?.includes(name) === false) ??
    excluded.find((path) => read(path)?.includes(name) === true)
  return barrier?.join('.')
}
