/** A clone of this repository whose command and pool are measured: built by its own scripts, with its own dependencies. */
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuiltDriver, buildDriver } from '../build-programs.ts'
import { describeCommit } from '../machine.ts'

/** `before` is the other clone, `after` is this one. */
export type TreeName = 'before' | 'after'

export interface Tree {
  readonly name: TreeName
  readonly root: string
  readonly commit: string
  /** The bundled command, and what an agent's window starts. */
  readonly command: string
  readonly program: string
}

export type Trees = Readonly<Record<TreeName, Tree>>

export interface BundleBytes {
  readonly file: string
  readonly before: number
  readonly after: number
}

const HERE = fileURLToPath(new URL('../../..', import.meta.url))
const BUNDLES = ['switchboard.mjs', 'front.mjs']

export async function prepareTrees(against: string): Promise<Trees> {
  return { before: await prepareTree('before', resolve(against)), after: await prepareTree('after', HERE) }
}

async function prepareTree(name: TreeName, root: string): Promise<Tree> {
  // Builds the bundles where they are not current.
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'run.mjs'), 'start', '--version'])
  return {
    name,
    root,
    commit: describeCommit(root),
    command: join(root, 'packages', 'cli', 'dist', 'switchboard.mjs'),
    program: join(root, 'packages', 'cli', 'bin', 'switchboard.mjs'),
  }
}

/** A client on the pool of that tree. */
export function buildTreeDriver({ root }: Tree): Promise<BuiltDriver> {
  return buildDriver(join(root, 'bench', 'src'))
}

export async function compareBundles({ before, after }: Trees): Promise<BundleBytes[]> {
  const sizeOf = async ({ root }: Tree, file: string): Promise<number> =>
    (await stat(join(root, 'packages', 'cli', 'dist', file))).size
  return await Promise.all(
    BUNDLES.map(async (file) => ({ file, before: await sizeOf(before, file), after: await sizeOf(after, file) })),
  )
}
