/** A clone of this repository whose command and pool are measured: built by its own scripts, with its own dependencies. */
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuiltDriver, buildCommand, buildDriver, type Command } from '../build-programs.ts'
import { describeCommit } from '../machine.ts'

/** `before` is the other clone, `after` is this one. */
export type TreeName = 'before' | 'after'

export interface Tree extends Command {
  readonly name: TreeName
  readonly root: string
  readonly commit: string
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
  return { name, root, commit: describeCommit(root), ...(await buildCommand(root)) }
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
