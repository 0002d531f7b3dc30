/** For threads: what files of code hold, by their syntax. */
export { CodeExtractor } from './code-extractor.ts'
export type { ExtractedSymbol } from './extraction.ts'
