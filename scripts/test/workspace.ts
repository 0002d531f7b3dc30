import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { listFiles } from '../run/fingerprint.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Manifest {
  readonly name: string
  /** What npm packs. */
  readonly files?: readonly string[]
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

export interface WorkspacePackage {
  readonly directory: string
  readonly manifest: Manifest
}

export interface ImportStatement {
  /** Relative to the root, with forward slashes. */
  readonly file: string
  readonly specifier: string
}

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}

export const rootManifest = readManifest(root)

export function listWorkspacePackages(): WorkspacePackage[] {
  const packages = ['packages', 'packages/packs'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  )
  return [...packages, join(root, 'bench')]
    .filter((directory) => existsSync(join(directory, 'package.json')))
    .map((directory) => ({ directory, manifest: readManifest(directory) }))
}

/** The source of each module that others may import from it. */
export function listDoors(manifest: Manifest): string[] {
  return Object.values(manifest.exports ?? {}).flatMap(({ 'switchboard-source': source }) => source ?? [])
}

export function toRelative(path: string): string {
  return relative(root, path).split(sep).join('/')
}

export function listSources(directory: string): string[] {
  return listFiles(directory).filter((path) => /\.(?:tsx?|mts|js|mjs)$/.test(path))
}

const TYPES: ReadonlySet<string> = new Set(['ClassDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'])

/** Read with a parser, because sources also hold code inside strings. */
export function parseModule(path: string, text = readFileSync(path, 'utf8')) {
  const { module, program, errors } = parseSync(path, text)
  const problem = errors[0]?.message
  if (problem !== undefined) throw new Error(`${toRelative(path)} cannot be read: ${problem}`)
  const reExports = module.staticExports.flatMap(({ entries }) => entries)
  const dynamic = module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
  return {
    specifiers: [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...reExports.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
      // Only a literal names a module; an expression is somebody's plug-in or a test's own file.
      ...dynamic.flatMap((source) => /^(['"`])([^$]*)\1$/.exec(source)?.[2] ?? []),
      // `import('x').Type` is a type, not an import, to the parser.
      ...[...text.matchAll(/\bimport\('([^']+)'\)\./g)].flatMap(([, specifier]) => specifier ?? []),
    ],
    exportedNames: reExports.flatMap(({ exportName }) =>
      exportName.kind === 'None' ? [] : [exportName.name ?? exportName.kind.toLowerCase()],
    ),
    /** Classes and types that are declared here, and that others may import. */
    exportedTypes: program.body.flatMap((statement) => {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
      return declared != null &&
        TYPES.has(declared.type) &&
        'id' in declared &&
        declared.id != null &&
        'name' in declared.id
        ? [declared.id.name]
        : []
    }),
    exportsEverything: reExports.some(
      ({ importName }) => importName.kind === 'All' || importName.kind === 'AllButDefault',
    ),
  }
}

export function listImports(directory: string): ImportStatement[] {
  return listSources(directory).flatMap((path) =>
    parseModule(path).specifiers.map((specifier) => ({ file: toRelative(path), specifier })),
  )
}

/** The package a specifier names; nothing for relative paths and for what Node brings along. */
export function packageNameOf(specifier: string): string | undefined {
  if (/^(?:\.|\/|#|node:)/.test(specifier)) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
