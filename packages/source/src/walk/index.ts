/** For threads that may wait for a disk: what is in a folder, and what a file of it holds. */

export type { ExtractedProblem, Extraction } from '../extract/extraction.ts'
export { languageOf } from '../languages.ts'
export { type ReadSource, readSource } from '../read/read-source.ts'
export { giveWay } from '../thread/give-way.ts'
export { type FoundFile, type SkipReason, walkFolder } from './walk-folder.ts'
