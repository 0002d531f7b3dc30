/** One source of files: the game, a DLC, a mod. The playset is their list in load order, lowest first. */
export interface Layer {
  readonly name: string
  readonly kind: 'engine' | 'game' | 'dlc' | 'mod'
  /** Where its files are: absolute. */
  readonly path: string
  /** Folders whose files in lower layers the game must not see (`replace_path`). */
  readonly replacePaths: readonly string[]
  /** Names of the mods that it is made for, by its descriptor or by the user: what it overrides of theirs is intended. */
  readonly dependencies: readonly string[]
  readonly version?: string
  readonly supportedVersion?: string
  /** Its number in the Steam workshop. */
  readonly workshopId?: string
}

export interface Playset {
  readonly name: string
  /** What is enabled, lowest first. */
  readonly layers: readonly Layer[]
  /** What is listed but off, or not to be found. */
  readonly left: readonly LeftMod[]
  /** What is wrong with it, for people: a dependency that is missing or comes later. */
  readonly warnings: readonly string[]
}

export interface LeftMod {
  readonly name: string
  readonly reason: 'disabled' | 'missing'
  readonly path?: string
}
