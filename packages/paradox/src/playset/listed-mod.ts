/** One entry of a list of mods, in whichever form it was written. At least one of path, descriptor and workshop number is known. */
export interface ListedMod {
  readonly name?: string
  /** A folder or a `.mod` file; relative to the list. */
  readonly path?: string
  /** Where it is as well, should it not be there: the launcher knows its descriptor and its folder. */
  readonly otherPath?: string
  readonly workshopId?: string
  readonly isEnabled: boolean
  /** Besides those of its descriptor. */
  readonly dependencies: readonly string[]
}

export interface ModList {
  readonly name: string
  /** In load order: the first is the lowest. */
  readonly mods: readonly ListedMod[]
  readonly gamePath?: string
  readonly disabledDlcs: readonly string[]
}
