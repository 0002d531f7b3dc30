/** A mode after checking: what an instance that declared this purpose may do. */
export interface ModeConfig {
  readonly description: string
  /** Globs over exposed names. */
  readonly tools: { readonly allow: readonly string[]; readonly deny: readonly string[] }
  /** Absolute paths, or such that begin with `${workspace}`. Undefined: paths are not looked at. */
  readonly writable: readonly string[] | undefined
  readonly instructions: string
  /** Absolute; its text stands in place of `instructions`, and is read when it is asked for. */
  readonly instructionsFile: string | undefined
  /** person: an agent that wants to change into it needs a person's yes. */
  readonly approval: 'none' | 'person'
}
