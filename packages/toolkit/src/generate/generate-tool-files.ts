/** Everything that follows from the declarations of all packs. Writes nothing: the text of each file is returned. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MetaError, type MetaProblem } from '../meta/meta-problem.ts'
import { createMetaSchema, createPackMetaSchema } from '../meta/shape-schema.ts'
import { formatJson } from './format-json.ts'
import type { GeneratedFile } from './generated-file.ts'
import { type PackSource, readPack, toManifest } from './read-pack.ts'
import { createToolDocument } from './tool-document.ts'
import { createTypescriptFiles } from './typescript-files.ts'

const PACKS = 'packages/packs'

/** Throws MetaError with the problems of all packs. */
export function generateToolFiles(root: string): GeneratedFile[] {
  const problems: MetaProblem[] = []
  const files = listPacks(root).flatMap((name) => {
    try {
      return generatePack(readPack(root, `${PACKS}/${name}`))
    } catch (error) {
      if (!(error instanceof MetaError)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  if (problems.length > 0) throw new MetaError(problems)
  return [
    ...files,
    { path: 'schema/tool.schema.json', content: formatJson(createMetaSchema()) },
    { path: 'schema/pack.schema.json', content: formatJson(createPackMetaSchema()) },
  ]
}

/** Of one pack. None without tools and guides: a pack that declares nothing needs no files. */
export function generatePack(pack: PackSource): GeneratedFile[] {
  if (pack.tools.length === 0 && pack.guides.length === 0) return []
  return [
    ...createTypescriptFiles(pack),
    { path: `${pack.directory}/src/generated/manifest.json`, content: formatJson({ version: 1, ...toManifest(pack) }) },
    { path: `docs/${pack.name}-tools.md`, content: createToolDocument(pack) },
  ]
}

function listPacks(root: string): string[] {
  const folder = join(root, PACKS)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'package.json')))
    .sort()
}
