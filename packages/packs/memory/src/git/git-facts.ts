/**
 * Where a repository stands: branch, commit, changed files. It may be anybody's, so nothing that its own files name is run:
 *
 * 1. Filters, which git runs to compare a file with what was committed, are set to nothing, each by its name.
 * 2. No hook, no file monitor, no pager, no editor, no prompt, no protocol: an object that is missing stays so.
 * 3. A repository that belongs to somebody else is refused by git itself, and so are its settings.
 */
import { execFile } from 'node:child_process'
import { devNull } from 'node:os'
import { dirname } from 'node:path'
import { createChildEnvironment, resolveCommand } from '@switchboard/process'

export interface GitFacts {
  /** Undefined: none is checked out. */
  readonly branch: string | undefined
  /** Undefined: there is none yet. */
  readonly commit: string | undefined
  /** Changed, staged or new, relative to the root. */
  readonly changed: readonly string[]
  /** How many more there are. */
  readonly moreChanged: number
}

const MAX_CHANGED = 50
const MAX_OUTPUT = 1024 * 1024
const SAFE = [
  '--no-optional-locks',
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  `core.hooksPath=${devNull}`,
  '-c',
  'protocol.allow=never',
]
const SUBMODULES = '--ignore-submodules=all'

/** Undefined: it is no repository, there is no git, or it takes longer than this. */
export async function readGitFacts(root: string, timeoutMs: number): Promise<GitFacts | undefined> {
  const git = openGit(root, timeoutMs)
  if (git === undefined) return undefined
  const filters = await git(['config', '--name-only', '-z', '--get-regexp', String.raw`^filter\.`])
  // One: there are none.
  if (filters.output === undefined && filters.code !== 1) return undefined
  const settings = silence(splitNames(filters.output))
  const ask = async (...args: string[]): Promise<string | undefined> => (await git(args, settings)).output
  const [top, branch, commit, changed, staged, untracked] = await Promise.all([
    ask('rev-parse', '--is-inside-work-tree'),
    ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    ask('rev-parse', '--verify', '--quiet', 'HEAD'),
    // Compares the content of what was touched; `diff-files` would tell of every file that was only touched.
    ask('diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', SUBMODULES),
    ask('diff-index', '--cached', '--name-only', '-z', SUBMODULES, 'HEAD'),
    ask('ls-files', '--others', '--exclude-standard', '--directory', '--no-empty-directory', '-z'),
  ])
  if (top?.trim() !== 'true') return undefined
  const all = [...new Set([changed, staged, untracked].flatMap(splitNames))].sort()
  return {
    branch: branch?.trim() || undefined,
    commit: commit?.trim() || undefined,
    changed: all.slice(0, MAX_CHANGED),
    moreChanged: Math.max(0, all.length - MAX_CHANGED),
  }
}

function splitNames(list = ''): string[] {
  return list.split('\0').filter((name) => name !== '')
}

/** In the environment: a name may hold what ends it on a command line. */
function silence(names: readonly string[]): Record<string, string> {
  const settings = names.flatMap((name, index) => [
    [`GIT_CONFIG_KEY_${index}`, name] as const,
    [`GIT_CONFIG_VALUE_${index}`, /\.required$/i.test(name) ? 'false' : ''] as const,
  ])
  return { ...Object.fromEntries(settings), GIT_CONFIG_COUNT: String(names.length) }
}

interface GitAnswer {
  /** Undefined: it failed. */
  readonly output: string | undefined
  readonly code: unknown
}

type RunGit = (args: readonly string[], settings?: Readonly<Record<string, string>>) => Promise<GitAnswer>

/** Undefined: there is no git. */
function openGit(root: string, timeout: number): RunGit | undefined {
  const base = createChildEnvironment(
    {
      // Only what is at the root itself: a repository around it is another project.
      GIT_CEILING_DIRECTORIES: dirname(root),
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    },
    false,
  )
  // By its path: Windows would look into the repository for a program of that name first.
  const program = resolveCommand('git', { cwd: root, environment: base })
  if (!program.found || program.isBatch) return undefined
  const limits = { timeout, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT, windowsHide: true } as const
  return (args, settings = {}) =>
    new Promise((resolve) => {
      const options = { ...limits, cwd: root, env: { ...base, ...settings } }
      execFile(program.path, [...SAFE, ...args], options, (error, stdout) =>
        resolve(error === null ? { output: stdout, code: 0 } : { output: undefined, code: error.code }),
      )
    })
}
