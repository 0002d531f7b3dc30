/**
 * What is left out of a folder, by everything that has a say in it. The first of these that says something decides:
 *
 * 1. `.switchboardignore`, then `.ignore`, then `.gitignore`: of each, the one in the nearest folder first.
 * 2. `.git/info/exclude` of the repository.
 * 3. Our own list (default-patterns.ts).
 *
 * A folder that is left out is not entered, so that nothing below it can come back, as in git.
 */
import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { readForeignText } from '@switchboard/base'
import { DEFAULT_PATTERNS } from './default-patterns.ts'
import { type GlobOptions, toBytes } from './glob.ts'
import { type IgnorePattern, judgeByPatterns, readIgnorePatterns } from './ignore-pattern.ts'

const FILES = ['.switchboardignore', '.ignore', '.gitignore'] as const
/** A larger file is not one of patterns. */
const MAX_BYTES = 1_000_000

/** default: by our own list only. */
export type IgnoreVerdict = 'kept' | 'ignored' | 'default'

interface Level {
  readonly parent: Level | undefined
  /** From the top of the repository, with a `/` at its end; empty: the top itself. */
  readonly base: string
  readonly patterns: Readonly<Record<(typeof FILES)[number], readonly IgnorePattern[]>>
}

/** Of one folder and all above it: goes down with whoever walks. */
export class IgnoreRules {
  readonly #repository: Repository
  readonly #level: Level

  private constructor(repository: Repository, level: Level) {
    this.#repository = repository
    this.#level = level
  }

  /** Of a folder, with those of the repository around it. */
  static at(root: string): IgnoreRules {
    const options = { ignoreCase: process.platform === 'win32' || process.platform === 'darwin' }
    const top = findTop(root) ?? root
    const exclude = readPatterns(top, join(top, '.git', 'info', 'exclude'), options)
    const repository = { top, exclude, defaults: readIgnorePatterns(DEFAULT_PATTERNS, options), options }
    let rules = new IgnoreRules(repository, readLevel(repository, undefined, ''))
    const way = relative(top, root)
    for (const name of way === '' ? [] : way.split(sep)) rules = rules.enter(name)
    return rules
  }

  enter(name: string): IgnoreRules {
    const base = `${this.#level.base}${toBytes(name)}/`
    return new IgnoreRules(this.#repository, readLevel(this.#repository, this.#level, base, name))
  }

  /** Of an entry of this folder. */
  judge(name: string, isFolder: boolean): IgnoreVerdict {
    // Its own files are nobody's, whatever anybody says.
    if (name === '.git') return 'ignored'
    const bytes = toBytes(name)
    const path = `${this.#level.base}${bytes}`
    for (const file of FILES) {
      for (let level: Level | undefined = this.#level; level !== undefined; level = level.parent) {
        const patterns = level.patterns[file]
        if (patterns.length === 0) continue
        const isIgnored = judgeByPatterns(patterns, path.slice(level.base.length), bytes, isFolder)
        if (isIgnored !== undefined) return isIgnored ? 'ignored' : 'kept'
      }
    }
    const byRepository = judgeByPatterns(this.#repository.exclude, path, bytes, isFolder)
    if (byRepository !== undefined) return byRepository ? 'ignored' : 'kept'
    return judgeByPatterns(this.#repository.defaults, path, bytes, isFolder) === true ? 'default' : 'kept'
  }
}

interface Repository {
  readonly top: string
  readonly exclude: readonly IgnorePattern[]
  readonly defaults: readonly IgnorePattern[]
  readonly options: GlobOptions
}

function readLevel(repository: Repository, parent: Level | undefined, base: string, name = ''): Level {
  const folder = parent === undefined ? repository.top : join(folderOf(repository, parent), name)
  const read = (file: string): readonly IgnorePattern[] =>
    readPatterns(repository.top, join(folder, file), repository.options)
  const patterns = {
    '.switchboardignore': read('.switchboardignore'),
    '.ignore': read('.ignore'),
    '.gitignore': read('.gitignore'),
  }
  return { parent, base, patterns }
}

/** The base is made of bytes, as globs compare them. */
function folderOf({ top }: Repository, { base }: Level): string {
  return join(top, Buffer.from(base, 'latin1').toString('utf8'))
}

/** None where there is none that can be read: a repository may have anything under that name. */
function readPatterns(root: string, path: string, options: GlobOptions): readonly IgnorePattern[] {
  if (!existsSync(path)) return []
  try {
    return readIgnorePatterns(readForeignText(path, { maxBytes: MAX_BYTES, root }), options)
  } catch {
    return []
  }
}

function findTop(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}
