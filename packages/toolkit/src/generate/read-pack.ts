/** A pack's folder: pairs of `name.meta.yaml` and `name.ts` anywhere below `src`, `src/pack.yaml`, and `guides/*.md`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { readGuide } from '../guides/read-guide.ts'
import type {
  Definitions,
  ErrorDeclaration,
  Guide,
  PackManifest,
  ToolDeclaration,
} from '../manifest/tool-declaration.ts'
import { type DeclaredTool, findPackProblems } from '../meta/check-pack.ts'
import { MetaError, type MetaProblem } from '../meta/meta-problem.ts'
import { type PackMetaReading, readPackMeta } from '../meta/read-pack-meta.ts'
import { readToolMeta } from '../meta/read-tool-meta.ts'
import { findCodeProblems, type SourceText } from './find-code-problems.ts'
import { findMemberProblems } from './find-member-problems.ts'

export interface PackSource {
  readonly name: string
  /** Relative to the root, with forward slashes. */
  readonly directory: string
  readonly tools: readonly PackTool[]
  readonly guides: readonly Guide[]
  readonly commonErrors: readonly ErrorDeclaration[]
  readonly definitions: Definitions
}

export interface PackTool {
  readonly declaration: ToolDeclaration
  /** The TypeScript file, relative to the pack, with forward slashes. */
  readonly module: string
}

const META = '.meta.yaml'
const COMMON = 'pack.yaml'
const RUN_EXPORT = /^export\s+(?:async\s+)?(?:function|const)\s+run\b|^export\s*\{[^}]*\brun\b[^}]*\}/m

/** Throws MetaError with everything that is wrong in the pack. */
export function readPack(root: string, directory: string): PackSource {
  const absolute = join(root, directory)
  const sources = listFiles(join(absolute, 'src'))
  const common = readCommon(root, absolute)
  const problems: MetaProblem[] = [...common.problems]
  const declared: (DeclaredTool & PackTool & { code: SourceText })[] = []
  for (const path of sources.filter((file) => file.endsWith(META))) {
    const file = toPosix(relative(root, path))
    const reading = readToolMeta(file, readText(path), common.definitions)
    const module = `${path.slice(0, -META.length)}.ts`
    const missing = findModuleProblem(module)
    if (missing !== undefined) problems.push({ file, line: 1, column: 1, key: '', message: missing })
    if (reading.problems !== undefined) problems.push(...reading.problems)
    else if (missing === undefined) {
      const { declaration, source } = reading
      const code = { file: toPosix(relative(root, module)), text: readText(module) }
      declared.push({ declaration, source, code, module: toPosix(relative(absolute, module)) })
    }
  }
  // A file that cannot be read is missed by all that name its tool: that is said once it can be.
  if (problems.length === 0) {
    const modules = new Set(declared.map(({ code }) => code.file))
    const others = sources
      .filter((path) => path.endsWith('.ts') && !path.startsWith(join(absolute, 'src', 'generated')))
      .map((path) => ({ file: toPosix(relative(root, path)), text: readText(path) }))
      .filter(({ file }) => !modules.has(file))
    problems.push(
      ...findPackProblems(declared, common),
      ...findMemberProblems(declared, common),
      ...findCodeProblems({
        tools: declared,
        others,
        common: common.commonErrors.map(({ code }) => code),
        internal: common.internalErrors,
      }),
    )
  }
  const guides = readGuides(root, absolute, problems)
  if (problems.length > 0) throw new MetaError(problems)
  const tools = declared
    .map(({ declaration, module }) => ({ declaration, module }))
    .sort((a, b) => compare(a.declaration.alias, b.declaration.alias))
  const { commonErrors, definitions } = common
  return { name: basename(absolute), directory, tools, guides, commonErrors, definitions }
}

export function toManifest({ name, tools, guides, commonErrors, definitions }: PackSource): PackManifest {
  return {
    pack: name,
    tools: tools.map(({ declaration }) => declaration),
    guides,
    ...(commonErrors.length === 0 ? {} : { commonErrors }),
    ...(Object.keys(definitions).length === 0 ? {} : { definitions }),
  }
}

function readCommon(root: string, absolute: string): PackMetaReading {
  const path = join(absolute, 'src', COMMON)
  return readPackMeta(toPosix(relative(root, path)), existsSync(path) ? readText(path) : '{}')
}

function findModuleProblem(module: string): string | undefined {
  const name = basename(module)
  if (!existsSync(module)) return `has no ${name} beside it: write one that exports the function run`
  return RUN_EXPORT.test(readText(module)) ? undefined : `has ${name} beside it, which does not export the function run`
}

function readGuides(root: string, absolute: string, problems: MetaProblem[]): Guide[] {
  const guides: Guide[] = []
  for (const path of listFiles(join(absolute, 'guides')).filter((file) => file.endsWith('.md'))) {
    const reading = readGuide(toPosix(relative(root, path)), readText(path))
    if (reading.problems === undefined) guides.push(reading.guide)
    else problems.push(...reading.problems)
  }
  return guides.sort((a, b) => compare(a.id, b.id))
}

/** In an order that no file system decides. */
function listFiles(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(compare)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function readText(path: string): string {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
}

function toPosix(path: string): string {
  return path.split(sep).join('/')
}
