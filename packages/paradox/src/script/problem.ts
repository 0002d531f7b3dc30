/** What is wrong in a file, and where; never outside of it. */
export interface ScriptProblem {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'information'
  readonly start: number
  readonly end: number
  readonly message: string
  readonly expected?: string
  readonly hint?: string
}

/** A file with more is no script: whoever reads the first of them knows enough. */
export const MAX_PROBLEMS = 200
