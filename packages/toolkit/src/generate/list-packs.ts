import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const PACKS = 'packages/packs'

/** Names of the folders that are a pack: those with a `src/pack.yaml`. */
export function listPacks(root: string): string[] {
  const folder = join(root, PACKS)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'src', 'pack.yaml')))
    .sort()
}

/** Relative to the root, with forward slashes. */
export function packDirectory(name: string): string {
  return `${PACKS}/${name}`
}
