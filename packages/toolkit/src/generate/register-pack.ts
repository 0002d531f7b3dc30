/** The places that must name every package of the repository: npm's and the compiler's lists, and the daemon's dependencies. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GeneratedFile } from './generated-file.ts'

/** As far as the lockfile repeats it. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly engines: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

type Edit = (text: string, directory: string, manifest: PackageManifest) => string

const EDITS: Readonly<Record<string, Edit>> = {
  'tsconfig.json': addReference,
  'tsconfig.tests.json': addReference,
  'packages/daemon/tsconfig.json': addReference,
  'packages/daemon/package.json': addDependency,
  'package-lock.json': addToLockfile,
}

/** What each of them says with the pack in it. Writes nothing. */
export function registerPack(root: string, directory: string, manifest: PackageManifest): GeneratedFile[] {
  return Object.entries(EDITS).map(([path, edit]) => ({
    path,
    content: edit(readFileSync(join(root, path), 'utf8'), directory, manifest),
  }))
}

/** Behind the last pack that is there: a compiler's list has comments and a layout of its own, so it is edited as text. */
function addReference(text: string, directory: string): string {
  const name = directory.split('/').at(-1) ?? directory
  const last = [...text.matchAll(/^( *\{ "path": "[^"]*\bpacks\/)[^"/]+(" \})(,?)$/gm)].at(-1)
  if (last === undefined) throw new Error('There is no reference to a pack to put another one behind')
  const [line, before = '', after = '', comma = ''] = last
  const end = last.index + line.length
  return `${text.slice(0, end)}${comma === '' ? ',' : ''}\n${before}${name}${after}${comma}${text.slice(end)}`
}

function addDependency(text: string, _directory: string, { name, version }: PackageManifest): string {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(text)
  return toText({ ...manifest, dependencies: sortKeys({ ...manifest.dependencies, [name]: version }) })
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>
}

/** As `npm install` would write it, which must not be needed for a package without dependencies of its own. */
function addToLockfile(text: string, directory: string, manifest: PackageManifest): string {
  const { name, version, license, dependencies, devDependencies, engines } = manifest
  const lockfile: Lockfile = JSON.parse(text)
  const daemon = lockfile.packages['packages/daemon']
  const packages = {
    ...lockfile.packages,
    'packages/daemon': { ...daemon, dependencies: sortKeys({ ...daemon?.dependencies, [name]: version }) },
    [`node_modules/${name}`]: { resolved: directory, link: true },
    [directory]: { name, version, license, dependencies, devDependencies, engines },
  }
  return toText({ ...lockfile, packages: sortKeys(packages) })
}

/** In npm's order. */
function sortKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b, 'en')))
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
