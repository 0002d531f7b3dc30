import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
}

/** With one commit of these files. */
export async function createRepository(
  folder: string,
  branch: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  git(folder, 'init', '-q', '-b', branch)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  git(folder, 'add', '.')
  git(folder, 'commit', '-q', '-m', 'first')
}
