/** For the build and for `switchboard dev`: reads YAML, which a running pack never does. */
export { readGuide } from '../guides/read-guide.ts'
export { formatProblem, MetaError, type MetaProblem } from '../meta/meta-problem.ts'
export { readToolMeta, type ToolMetaReading } from '../meta/read-tool-meta.ts'
export { createMetaSchema } from '../meta/shape-schema.ts'
export { generatePack, generateToolFiles } from './generate-tool-files.ts'
export type { GeneratedFile } from './generated-file.ts'
export { type PackSource, type PackTool, readPack, toManifest } from './read-pack.ts'
export { type ScaffoldedTool, scaffoldTool } from './scaffold-tool.ts'
