/** A copy of the sources of the repository, for tests that change one thing in it and look at what follows. */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** What is made from the sources, or is no source. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.toolchain'])
const OUR_SCOPE = '@switchboard'

export interface RepositoryCopy extends TemporaryDirectory {
  /** Replaces the one occurrence of a text in a file; throws where it is not there, or more than once. */
  replace(path: string, before: string, after: string): Promise<void>
  write(path: string, text: string): Promise<void>
  read(path: string): Promise<string>
}

/** Packages of others are those of the original; ours are the copied ones. */
export async function copyRepository(): Promise<RepositoryCopy> {
  const directory = await createTemporaryDirectory('switchboard-copy-')
  const { path: root, file } = directory
  await cp(ROOT, root, {
    recursive: true,
    filter: (source) => source === ROOT || !LEFT_OUT.has(basename(source)),
  })
  await linkPackages(root)
  const read = (path: string): Promise<string> => readFile(file(path), 'utf8')
  const write = (path: string, text: string): Promise<void> => writeFile(file(path), text)
  return {
    ...directory,
    read,
    write,
    replace: async (path, before, after) => {
      const parts = (await read(path)).split(before)
      if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${before}`)
      await write(path, parts.join(after))
    },
  }
}

async function linkPackages(root: string): Promise<void> {
  const original = join(ROOT, 'node_modules')
  const copy = join(root, 'node_modules')
  await mkdir(join(copy, OUR_SCOPE), { recursive: true })
  for (const name of await readdir(original)) {
    if (name !== OUR_SCOPE && !name.startsWith('.')) await symlink(join(original, name), join(copy, name), 'junction')
  }
  for (const entry of await readdir(join(root, 'packages'), { recursive: true })) {
    if (basename(entry) !== 'package.json' || entry.split(sep).length > 3) continue
    const { name } = JSON.parse(await readFile(join(root, 'packages', entry), 'utf8')) as { name: string }
    if (!name.startsWith(`${OUR_SCOPE}/`)) continue
    await symlink(join(root, 'packages', relative('.', join(entry, '..'))), join(copy, name), 'junction')
  }
}
