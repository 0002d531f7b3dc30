/** What is said on the pipes of the process that runs queries, a line of JSON each. */
import type { Scope } from '../scope.ts'

export interface QueryOrder {
  readonly file: string
  readonly sql: string
  readonly scope: Scope
  /** In the tables: whose conflicts are asked for. */
  readonly playset: number | undefined
  readonly maxRows: number
  readonly maxBytes: number
}

export type QueryCell = string | number | null

export type QueryAnswer =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly QueryCell[])[]; readonly isCut: boolean }
  | { readonly problem: string }
