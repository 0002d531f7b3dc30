import type { KeyPath } from '@switchboard/config'

export type { KeyPath } from '@switchboard/config'

/** One mistake in a declaration, with the place where it is to be mended. */
export interface MetaProblem {
  /** As it is to be named: relative to the repository, with forward slashes. */
  readonly file: string
  /** Both from 1. */
  readonly line: number
  readonly column: number
  /** The key, as a path: `params.line.default`; empty for the file as a whole. */
  readonly key: string
  readonly message: string
}

/** `tools/add.meta.yaml:7:12 params.line.default: must be …` */
export function formatProblem({ file, line, column, key, message }: MetaProblem): string {
  return `${file}:${line}:${column} ${key === '' ? '' : `${key}: `}${message}`
}

/** All that is wrong with the declarations of a pack, at once. */
export class MetaError extends Error {
  readonly problems: readonly MetaProblem[]

  constructor(problems: readonly MetaProblem[]) {
    const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`
    super(
      `${count} in the declarations of tools:\n${problems.map((problem) => `  ${formatProblem(problem)}`).join('\n')}`,
    )
    this.name = 'MetaError'
    this.problems = problems
  }
}

export type Report = (path: KeyPath, message: string) => void
