export interface GeneratedFile {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string
  readonly content: string
}
