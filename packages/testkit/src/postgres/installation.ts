/**
 * The server that Debian has installed, and the pgvector that `scripts/run/pgvector.mjs` has built for it. A cluster gets a
 * folder of its own that looks like Debian's: the server finds its parts from where its program lies, so the extension can be
 * there or not without anything of the machine being changed.
 */
import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PostgresInstallation {
  /** Such as 15. */
  readonly version: number
  /** Absent: it was not built. */
  readonly pgvector: string | undefined
}

const SERVERS = '/usr/lib/postgresql'
const BUILT = fileURLToPath(new URL('../../../../.toolchain/pgvector', import.meta.url))
const OLDEST = 15
/** What a test runs; they find each other in their folder, through no link. */
const PROGRAMS = ['postgres', 'initdb']

/** What a skipped test says. */
export const POSTGRES_MISSING =
  'PostgreSQL or pgvector is missing; on Debian: sudo apt-get install postgresql g++, then npm test'

export function findPostgres(): PostgresInstallation | undefined {
  if (!existsSync(SERVERS)) return undefined
  const versions = readdirSync(SERVERS)
    .filter((name) => existsSync(join(SERVERS, name, 'bin', 'postgres')))
    .map(Number)
  const version = Math.max(0, ...versions.filter(Number.isInteger))
  if (version < OLDEST) return undefined
  const built = existsSync(BUILT) ? readdirSync(BUILT).filter((name) => name.endsWith(`-${version}`)) : []
  const newest = built.sort().at(-1)
  return { version, pgvector: newest === undefined ? undefined : join(BUILT, newest) }
}

/** Resolves with the folder of the programs. */
export async function layOut(folder: string, { version, pgvector }: PostgresInstallation): Promise<string> {
  const part = (...names: string[]): string => join('postgresql', String(version), ...names)
  const [programs, libraries] = [join(folder, 'lib', part('bin')), join(folder, 'lib', part('lib'))]
  const [shared, extensions] = [join(folder, 'share', part()), join(folder, 'share', part('extension'))]
  for (const made of [programs, libraries, extensions]) await mkdir(made, { recursive: true })
  for (const name of PROGRAMS) await copyFile(join('/usr/lib', part('bin', name)), join(programs, name))
  await linkAll(join('/usr/lib', part('lib')), libraries)
  await linkAll(join('/usr/share', part()), shared)
  await linkAll(join('/usr/share', part('extension')), extensions)
  if (pgvector === undefined) return programs
  for (const name of await readdir(pgvector)) {
    await copyFile(join(pgvector, name), join(name.endsWith('.so') ? libraries : extensions, name))
  }
  return programs
}

/** But what there is already, and a pgvector that the machine has. */
async function linkAll(from: string, to: string): Promise<void> {
  const there = new Set(await readdir(to))
  for (const name of await readdir(from)) {
    if (!there.has(name) && !/^vector(?:\.|--)/.test(name)) await symlink(join(from, name), join(to, name))
  }
}
