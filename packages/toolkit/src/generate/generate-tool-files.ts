/** Everything that follows from the declarations of all packs. Writes nothing: the text of each file is returned. */
import { formatJson } from '@switchboard/config/text'
import { MetaError, type MetaProblem } from '../meta/meta-problem.ts'
import { createMetaSchema, createPackMetaSchema } from '../meta/meta-schema.ts'
import type { GeneratedFile } from './generated-file.ts'
import { listPacks, packDirectory } from './list-packs.ts'
import { type PackSource, readPack } from './read-pack.ts'
import { createToolDocument } from './tool-document.ts'
import { createManifestFile, createTypescriptFiles } from './typescript-files.ts'

/** Those that are committed. Throws MetaError with the problems of all packs. */
export function generateToolFiles(root: string): GeneratedFile[] {
  return [
    ...readPacks(root).flatMap(generatePack),
    { path: 'schema/tool.schema.json', content: `${formatJson(createMetaSchema())}\n` },
    { path: 'schema/pack.schema.json', content: `${formatJson(createPackMetaSchema())}\n` },
  ]
}

/** Those that are built in every clone, for they follow from the declarations and nobody reads them. */
export function buildManifests(root: string): GeneratedFile[] {
  return readPacks(root).map(createManifestFile)
}

export function generatePack(pack: PackSource): GeneratedFile[] {
  return [...createTypescriptFiles(pack), { path: `docs/${pack.name}-tools.md`, content: createToolDocument(pack) }]
}

function readPacks(root: string): PackSource[] {
  const problems: MetaProblem[] = []
  const packs = listPacks(root).flatMap((name) => {
    try {
      return [readPack(root, packDirectory(name))]
    } catch (error) {
      if (!(error instanceof MetaError)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  if (problems.length > 0) throw new MetaError(problems)
  return packs
}
