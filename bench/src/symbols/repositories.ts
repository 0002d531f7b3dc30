/**
 * Repositories that nobody here wrote: source tarballs of Debian and of npm, had on demand into a folder that git does not see.
 * Debian's are asked for through apt, with lists of its own beside the machine's: nothing of the machine is changed.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const FOLDER = fileURLToPath(new URL('../../.peers/sources', import.meta.url))

export interface Repository {
  readonly name: string
  readonly language: string
  readonly from: 'debian' | 'npm'
  /** Of npm with its version. */
  readonly package: string
}

export const REPOSITORIES: readonly Repository[] = [
  { name: 'django', language: 'python', from: 'debian', package: 'python-django' },
  { name: 'caddy', language: 'go', from: 'debian', package: 'caddy' },
  { name: 'guava', language: 'java', from: 'debian', package: 'guava-libraries' },
  { name: 'rails', language: 'ruby', from: 'debian', package: 'rails' },
  { name: 'redis', language: 'c', from: 'debian', package: 'redis' },
  { name: 'tmux', language: 'c', from: 'debian', package: 'tmux' },
  { name: 'nginx', language: 'c', from: 'debian', package: 'nginx' },
  { name: 'leveldb', language: 'cpp', from: 'debian', package: 'leveldb' },
  { name: 're2', language: 'cpp', from: 'debian', package: 're2' },
  { name: 'fmt', language: 'cpp', from: 'debian', package: 'fmtlib' },
  { name: 'spdlog', language: 'cpp', from: 'debian', package: 'spdlog' },
  { name: 'simdjson', language: 'cpp', from: 'debian', package: 'simdjson' },
  { name: 'ripgrep', language: 'rust', from: 'debian', package: 'rust-ripgrep' },
  { name: 'bat', language: 'rust', from: 'debian', package: 'rust-bat' },
  { name: 'serde', language: 'rust', from: 'debian', package: 'rust-serde' },
  { name: 'rxjs', language: 'typescript', from: 'npm', package: 'rxjs@7.8.1' },
  { name: 'zod', language: 'typescript', from: 'npm', package: 'zod@3.25.76' },
  { name: 'mobx', language: 'typescript', from: 'npm', package: 'mobx@6.13.7' },
]

const run = promisify(execFile)

/** Its folder. Rejects where it cannot be had. */
export async function obtain(repository: Repository, say: (line: string) => void): Promise<string> {
  const folder = join(FOLDER, repository.name)
  if (existsSync(folder)) return folder
  say(`${repository.package} from ${repository.from} into bench/.peers`)
  const draft = join(FOLDER, `.${repository.name}-${process.pid}`)
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  try {
    const archive =
      repository.from === 'npm' ? await packNpm(repository, draft) : await downloadDebian(repository, draft)
    const unpacked = join(draft, 'unpacked')
    await mkdir(unpacked)
    await run('tar', ['-xf', join(draft, archive), '-C', unpacked])
    await rename(unpacked, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

async function packNpm({ package: name }: Repository, folder: string): Promise<string> {
  await run('npm', ['pack', '--silent', '--ignore-scripts', name], { cwd: folder, shell: process.platform === 'win32' })
  return findArchive(folder, /\.tgz$/)
}

async function downloadDebian({ package: name }: Repository, folder: string): Promise<string> {
  const apt = join(FOLDER, 'apt')
  await mkdir(join(apt, 'lists', 'partial'), { recursive: true })
  await mkdir(join(apt, 'cache', 'archives', 'partial'), { recursive: true })
  const list = join(apt, 'sources.list')
  const options = [
    ...['-o', `Dir::Etc::sourcelist=${list}`, '-o', 'Dir::Etc::sourceparts=/dev/null'],
    ...['-o', `Dir::State::lists=${join(apt, 'lists')}`, '-o', `Dir::Cache=${join(apt, 'cache')}`],
    ...['-o', 'APT::Sandbox::User=root', '-qq'],
  ]
  if (!existsSync(list)) {
    await writeFile(list, listSources().join('\n'))
    await run('apt-get', [...options, 'update'])
  }
  // The sources alone: what Debian adds changes more often than the lists of some mirrors.
  const { stdout } = await run('apt-get', [...options, 'source', '--print-uris', name], { cwd: folder })
  const [, uri, archive, hash] = /^'(\S+)' (\S+\.orig\.tar\.\w+) \d+ (SHA\d+:\w+)$/m.exec(stdout) ?? []
  if (uri === undefined || archive === undefined || hash === undefined) throw new Error(`no source archive: ${stdout}`)
  await run('/usr/lib/apt/apt-helper', [...options.slice(0, -1), 'download-file', uri, archive, hash], { cwd: folder })
  return archive
}

function findArchive(folder: string, pattern: RegExp): string {
  const found = readdirSync(folder).find((name) => pattern.test(name))
  if (found === undefined) throw new Error(`no source archive came: ${readdirSync(folder).join(', ')}`)
  return found
}

/** Where the machine has its packages from, there are their sources: in both forms that apt reads. */
function listSources(): string[] {
  const parts = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...listNames(parts).map((name) => join(parts, name))].filter(existsSync)
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return file.endsWith('.sources') ? text.split(/\n\s*\n/).flatMap(readStanza) : text.split('\n').flatMap(readLine)
  })
}

const listNames = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

function readLine(line: string): string[] {
  const match = /^deb(?:-src)?\s+(?:\[[^\]]*\]\s+)?(\S.*)$/.exec(line.trim())
  return match?.[1] === undefined ? [] : [`deb-src ${match[1]}`]
}

function readStanza(stanza: string): string[] {
  const field = (name: string): string[] => {
    const line = stanza.split('\n').find((text) => text.toLowerCase().startsWith(`${name}:`))
    return line === undefined
      ? []
      : line
          .slice(name.length + 1)
          .trim()
          .split(/\s+/)
  }
  const components = field('components').join(' ')
  return field('uris').flatMap((uri) => field('suites').map((suite) => `deb-src ${uri} ${suite} ${components}`))
}
