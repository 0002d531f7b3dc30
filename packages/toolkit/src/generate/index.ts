/** For the build and for `switchboard dev`: reads YAML, which a running pack never does. */

export { formatProblem, MetaError, type MetaProblem } from '../meta/meta-problem.ts'

export { readToolMeta, type ToolMetaReading } from '../meta/read-tool-meta.ts'
export { buildManifests, generatePack, generateToolFiles } from './generate-tool-files.ts'
export type { GeneratedFile } from './generated-file.ts'
export { listPacks } from './list-packs.ts'
export { type PackSource, type PackTool, readPack, toManifest } from './read-pack.ts'
export { type ScaffoldedPack, scaffoldPack } from './scaffold-pack.ts'
export { type ScaffoldedTool, scaffoldTool } from './scaffold-tool.ts'
