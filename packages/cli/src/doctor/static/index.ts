/** For the extension, which looks for them in the files of its own editor. */
export type { ClientPlaces } from '../../clients/client-places.ts'
export { judgeEntries } from './judge-entries.ts'
export { readStaticEntries } from './read-static-entries.ts'
export { EntryRemover } from './remove-entry.ts'
export type { StaticEntry } from './static-entry.ts'
