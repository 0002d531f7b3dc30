// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.

/** of which moment of the index the answer is */
export type Index = {
  /** grows with every change */
  readonly generation: number
  readonly completeness: "complete" | "building" | "partial" | "never_built"
  /** files still to be read */
  readonly waiting: number
  /** files that could not be read */
  readonly failed: number
}

export type NotFound = {
  readonly reason: "not_in_index" | "only_referenced" | "other_case" | "still_building" | "not_indexed" | "skipped" | "failed"
  readonly message: string
}

/** Of lens.conflicts, defaults filled in. */
export type LensConflictsParams = {
  readonly class?: "file_shadow" | "key_override" | "slot" | "duplicate_forbidden" | "loc_key" | "replace_path" | "gui_first_wins" | "dangling" | "order_uncertain" | "engine_differs"
  /** a part of the name of a mod */
  readonly mod?: string
  /** such as common/traits */
  readonly folder?: string
  /** of what is defined: trait, event, file … */
  readonly kind?: string
  /** exactly: everything about one key, with its fields */
  readonly name?: string
  /** also what is meant so: of the game by a mod, of a mod by its compatch */
  readonly intended: boolean
  readonly limit: number
  readonly offset: number
}

/** What lens.conflicts answers with. */
export type LensConflictsData = {
  readonly index: Index
  readonly playset: string
  /** of the index when it was judged */
  readonly generation: number
  readonly total: number
  readonly classes: readonly {
    readonly class: string
    readonly count: number
    /** not intended */
    readonly open: number
  }[]
  readonly folders: readonly {
    readonly folder: string
    readonly count: number
  }[]
  readonly lostKeys: number
  /** with the log of the game */
  readonly agreement?: {
    readonly agree: number
    readonly differs: number
    readonly unknown: number
  } | undefined
  readonly notJudged: readonly string[]
  readonly items: readonly {
    /** for lens_patch */
    readonly id: number
    readonly class: string
    readonly kind: string
    readonly name: string
    readonly effective?: string | undefined
    readonly losers: readonly string[]
    readonly why: string
    readonly rule: string
    readonly confidence: string
    readonly intended: boolean
    readonly difference?: string | undefined
    readonly lostKeys?: readonly string[] | undefined
    readonly fields?: readonly {
      readonly field: string
      readonly change: string
      readonly loser?: string | undefined
      readonly effective?: string | undefined
    }[] | undefined
    readonly references?: readonly string[] | undefined
  }[]
}

/** Of lens.diagnostics, defaults filled in. */
export type LensDiagnosticsParams = {
  /** a part of the path */
  readonly path?: string
  /** a code, or its first part: syntax */
  readonly code?: string
  readonly severity?: "error" | "warning" | "information"
  /** what only the whole playset shows: unknown references, duplicates, texts that are missing or unused */
  readonly playset: boolean
  readonly limit: number
  readonly offset: number
}

/** What lens.diagnostics answers with. */
export type LensDiagnosticsData = {
  readonly index: Index
  readonly total: number
  readonly counts: readonly {
    readonly code: string
    readonly severity: string
    readonly count: number
  }[]
  readonly items: readonly {
    readonly path: string
    readonly line: number
    readonly column: number
    readonly code: string
    readonly severity: string
    readonly message: string
    readonly expected?: string | undefined
    readonly hint?: string | undefined
  }[]
  readonly notJudged?: readonly string[] | undefined
}

/** Of lens.file, defaults filled in. */
export type LensFileParams = {
  /** from this folder or absolute */
  readonly path: string
  readonly firstLine: number
  /** default: 200 lines */
  readonly lastLine?: number
  /** the lines of this symbol in place of firstLine and lastLine */
  readonly symbol?: string
}

/** What lens.file answers with. */
export type LensFileData = {
  readonly index: Index
  readonly path: string
  readonly language?: string | undefined
  /** of the whole file */
  readonly lines?: number | undefined
  readonly firstLine?: number | undefined
  readonly lastLine?: number | undefined
  readonly text?: string | undefined
  readonly symbols?: readonly {
    readonly name: string
    readonly kind: string
    readonly line: number
    readonly endLine: number
  }[] | undefined
  /** the file has changed since it was indexed; the lines are those of now */
  readonly stale?: boolean | undefined
  readonly notFound?: NotFound | undefined
}

/** Of lens.game-log, defaults filled in. */
export type LensGameLogParams = {
  /** in the logs folder of the playset */
  readonly log: "error" | "game" | "debug"
  /** a log in this folder instead */
  readonly path?: string
  /** a part of the name of a mod */
  readonly mod?: string
  readonly limit: number
}

/** What lens.game-log answers with. */
export type LensGameLogData = {
  /** absent: no playset tells whose a file is */
  readonly index?: Index | undefined
  readonly file: string
  readonly entries: number
  readonly categories: readonly {
    readonly category: string
    readonly priority: number
    readonly count: number
  }[]
  readonly mods: readonly {
    readonly mod: string
    readonly count: number
  }[]
  /** groups */
  readonly total: number
  readonly groups: readonly {
    readonly category: string
    readonly message: string
    readonly count: number
    /** messages that follow from it */
    readonly cascade: number
    readonly mod?: string | undefined
    readonly places: readonly string[]
    readonly isConsequence: boolean
  }[]
}

/** Of lens.outline, defaults filled in. */
export type LensOutlineParams = {
  /** from this folder or absolute */
  readonly path: string
  readonly limit: number
}

/** What lens.outline answers with. */
export type LensOutlineData = {
  readonly index: Index
  readonly path: string
  readonly language?: string | undefined
  readonly lines?: number | undefined
  /** the file has changed since it was read */
  readonly stale?: boolean | undefined
  readonly symbols: readonly {
    readonly name: string
    readonly kind: string
    readonly line: number
    readonly endLine: number
    readonly depth: number
    readonly detail?: string | undefined
  }[]
  readonly symbolCount: number
  readonly problemCount: number
  readonly notFound?: NotFound | undefined
}

/** Of lens.parse, defaults filled in. */
export type LensParseParams = {
  /** its place decides what it is: src/a.ts, common/traits/x.txt */
  readonly path: string
  readonly text: string
}

/** What lens.parse answers with. */
export type LensParseData = {
  readonly language: string
  readonly symbols: readonly {
    readonly name: string
    readonly kind: string
    readonly line: number
    readonly endLine: number
  }[]
  readonly symbolCount: number
  readonly referenceCount: number
  readonly problems: readonly {
    readonly code: string
    readonly severity: string
    readonly line: number
    readonly column: number
    readonly message: string
    readonly expected?: string | undefined
    readonly hint?: string | undefined
  }[]
}

/** Of lens.patch, defaults filled in. */
export type LensPatchParams = {
  /** its id of lens_conflicts */
  readonly conflict: number
  /** which definition stands: 0 is the one in effect, 1 the first loser … */
  readonly keep?: number
  /** folder of the mod that gets the file; needed to write */
  readonly into?: string
  readonly write: boolean
  /** replace a file that is there */
  readonly overwrite: boolean
}

/** What lens.patch answers with. */
export type LensPatchData = {
  readonly index: Index
  /** inside the mod */
  readonly path: string
  readonly kind: "merged" | "chosen" | "restored" | "removed"
  readonly content: string
  readonly explanation: string
  readonly confidence: string
  readonly notes: readonly string[]
  /** what the index would say of it then */
  readonly afterwards: readonly string[]
  /** the file; absent: nothing was written */
  readonly written?: string | undefined
}

/** Of lens.playset, defaults filled in. */
export type LensPlaysetParams = {
  readonly action: "show" | "list" | "use"
  /** of the playset */
  readonly name?: string
}

/** What lens.playset answers with. */
export type LensPlaysetData = {
  /** of the layers that are shown */
  readonly index?: Index | undefined
  readonly active?: string | undefined
  readonly playsets: readonly string[]
  /** lowest first */
  readonly layers?: readonly {
    readonly name: string
    readonly kind: "engine" | "game" | "dlc" | "mod"
    readonly path: string
    readonly replacePaths: readonly string[]
    readonly dependencies: readonly string[]
  }[] | undefined
  readonly left?: readonly {
    readonly name: string
    readonly reason: "disabled" | "missing"
  }[] | undefined
  readonly warnings?: readonly string[] | undefined
}

/** Of lens.query, defaults filled in. */
export type LensQueryParams = {
  readonly sql: string
  /** rows */
  readonly limit: number
}

/** What lens.query answers with. */
export type LensQueryData = {
  readonly index: Index
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly truncated: boolean
}

/** Of lens.rebuild, defaults filled in. */
export type LensRebuildParams = {
  /** only this folder or file; default: everything */
  readonly path?: string
  /** read every file again */
  readonly fresh: boolean
  readonly wait: boolean
  /** forget what still waits instead */
  readonly cancel: boolean
  readonly timeoutMs: number
}

/** What lens.rebuild answers with. */
export type LensRebuildData = {
  readonly index: Index
  /** nothing is left to do */
  readonly idle: boolean
  /** that were read in this build */
  readonly files: number
  readonly errors: number
  readonly cancelled?: number | undefined
}

/** Of lens.search, defaults filled in. */
export type LensSearchParams = {
  /** words that must all be there; word* for a beginning */
  readonly query: string
  readonly in: "all" | "symbols" | "text" | "files"
  /** of symbols: function, class, decision … */
  readonly kind?: string
  /** a part of the path */
  readonly path?: string
  readonly language?: string
  /** of each group; default 5, and 30 for one group */
  readonly limit?: number
  readonly offset: number
}

/** What lens.search answers with. */
export type LensSearchData = {
  readonly index: Index
  readonly symbols?: {
    readonly total: number
    /** there may be more than total */
    readonly atLeast: boolean
    readonly items: readonly {
      readonly name: string
      readonly kind: string
      readonly path: string
      readonly line: number
      readonly detail?: string | undefined
      readonly stale?: boolean | undefined
    }[]
  } | undefined
  readonly text?: {
    /** files */
    readonly total: number
    readonly atLeast: boolean
    readonly items: readonly {
      readonly path: string
      readonly line: number
      readonly text: string
      readonly stale?: boolean | undefined
    }[]
  } | undefined
  readonly files?: {
    readonly total: number
    readonly atLeast: boolean
    readonly items: readonly string[]
  } | undefined
  readonly notFound?: NotFound | undefined
}

/** Of lens.status, defaults filled in. */
export type LensStatusParams = Readonly<Record<string, never>>

/** What lens.status answers with. */
export type LensStatusData = {
  readonly index: Index
  readonly roots: readonly {
    readonly path: string
    readonly state: "never" | "complete" | "partial"
    readonly scannedAt?: string | undefined
    readonly watch: "watching" | "polling" | "none"
    readonly files: number
    readonly bytes: number
    readonly symbols: number
    readonly references: number
    readonly problems: number
    /** what was left out by reason */
    readonly skipped: Readonly<Record<string, number>>
  }[]
  readonly languages: readonly {
    readonly language: string
    readonly files: number
  }[]
  readonly failed: readonly {
    readonly path: string
    readonly reason: string
  }[]
  readonly lastBuild?: {
    readonly state: "running" | "complete" | "failed" | "cancelled"
    readonly startedAt: string
    readonly endedAt?: string | undefined
    readonly files: number
    readonly errors: number
    /** so often a restart came between */
    readonly resumed: number
  } | undefined
}

/** Of lens.symbol, defaults filled in. */
export type LensSymbolParams = {
  /** exactly as it is written */
  readonly name: string
  readonly kind?: string
  /** a part of the path of the definition */
  readonly path?: string
  readonly limit: number
}

/** What lens.symbol answers with. */
export type LensSymbolData = {
  readonly index: Index
  readonly definitions: readonly {
    readonly name: string
    readonly kind: string
    readonly path: string
    readonly line: number
    readonly column: number
    readonly endLine: number
    readonly detail?: string | undefined
    readonly within?: string | undefined
    readonly stale: boolean
  }[]
  readonly definitionCount: number
  readonly references: readonly {
    readonly path: string
    readonly line: number
    readonly column: number
    readonly within?: string | undefined
    readonly isCall: boolean
  }[]
  readonly referenceCount: number
  readonly callCount: number
  readonly notFound?: NotFound | undefined
}
