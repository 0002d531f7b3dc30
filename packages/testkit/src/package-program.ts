import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'

/** The file of a program that an installed package brings, as seen from the module at `from`. Default: its only program. */
export function findPackageProgram(packageName: string, from: string | URL, name?: string): string {
  const manifestPath = createRequire(from).resolve(`${packageName}/package.json`)
  // What npm has installed has this shape.
  const { bin = {} } = JSON.parse(readFileSync(manifestPath, 'utf8')) as { bin?: Record<string, string> }
  const names = Object.keys(bin)
  const program = bin[name ?? (names.length === 1 ? (names[0] ?? '') : '')]
  if (program === undefined) throw new Error(`${packageName} brings these programs: ${names.join(', ')}`)
  return resolve(dirname(manifestPath), program)
}
