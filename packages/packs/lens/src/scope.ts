/** What a caller may see of the index: its own roots, or a part of one. Every read is given one, and finds nothing outside. */
export interface ScopePart {
  readonly root: number
  /** Of the root, absolute. */
  readonly rootPath: string
  /** A folder of the root, without a slash at its end; empty: all of it. */
  readonly folder: string
}

export type Scope = readonly ScopePart[]

/** As a condition on the table of files that is called `f`. The values are those of its question marks. */
export function scopeCondition(scope: Scope): { readonly sql: string; readonly values: readonly (string | number)[] } {
  if (scope.length === 0) return { sql: '0', values: [] }
  const parts = scope.map(({ root, folder }) =>
    folder === ''
      ? { sql: 'f.root = ?', values: [root] }
      : { sql: '(f.root = ? AND f.path >= ? AND f.path < ?)', values: [root, `${folder}/`, `${folder}0`] },
  )
  return { sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`, values: parts.flatMap(({ values }) => values) }
}

/** A path as callers see it: from their own folder where there is one root, else absolute. */
export function shownPath(scope: Scope, root: number, path: string): string {
  const [only, ...others] = scope
  if (only !== undefined && others.length === 0 && only.root === root) {
    return only.folder === '' ? path : path.slice(only.folder.length + 1)
  }
  const part = scope.find((candidate) => candidate.root === root)
  return part === undefined ? path : `${part.rootPath}/${path}`
}
