// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.

export type ShownDaemon = {
  readonly pid: number
  readonly version: string
  readonly epoch: number
  /** absent: over HTTP */
  readonly endpoint?: string | undefined
  readonly startedAt: string
  readonly state: "starting" | "running" | "stopping"
}

export type ShownServer = {
  readonly name: string
  readonly state: string
  readonly tools: number
  readonly restarts: number
  readonly inFlight: number
  readonly queued: number
  readonly era?: string | undefined
  readonly uptimeMs?: number | undefined
  readonly nextAttemptInMs?: number | undefined
  /** why it is not up */
  readonly reason?: string | undefined
  /** how to get what is missing */
  readonly install?: string | undefined
  /** what of it a person has to look at before agents get it */
  readonly trust?: string | undefined
}

export type ShownPack = {
  readonly name: string
  readonly state: "ready" | "failed"
  readonly tools: number
  readonly reason?: string | undefined
}

export type ShownStore = {
  readonly engine: string
  readonly state: "absent" | "resting" | "open" | "busy" | "failed"
  readonly bytes: number
  /** of all packs and projects */
  readonly items?: number | undefined
  /** writes that are not acknowledged yet */
  readonly waiting?: number | undefined
  readonly lastBackup: string | null
  /** why it failed */
  readonly reason?: string | undefined
}

/** Of debug.get-logs, defaults filled in. */
export type DebugGetLogsParams = {
  /** 10m, 2h, 1d ago, today, yesterday or ISO time (UTC) */
  readonly since?: string
  readonly until?: string
  /** this or more serious */
  readonly level?: "debug" | "info" | "warn" | "error"
  /** a category: pool, mcp.init */
  readonly cat?: string
  /** one instance */
  readonly inst?: string
  /** one call */
  readonly trace_id?: string
  /** daemon, mcp, ext, server, server-<name> */
  readonly source?: string
  /** text in message, category or data */
  readonly grep?: string
  readonly limit: number
}

/** What debug.get-logs answers with. */
export type DebugGetLogsData = {
  /** as they stand in the files (ts, level, cat, inst, trace_id, msg, data), with the file as source */
  readonly lines: readonly (Readonly<Record<string, unknown>>)[]
  readonly count: number
  readonly limit: number
  /** there are older lines that fit */
  readonly truncated: boolean
  /** why they are not here */
  readonly leftOut?: readonly string[] | undefined
}

/** Of mode.get-instructions, defaults filled in. */
export type ModeGetInstructionsParams = {
  readonly mode: string
}

/** What mode.get-instructions answers with. */
export type ModeGetInstructionsData = {
  readonly mode: string
  readonly description: string
  readonly instructions: string
  readonly tools: {
    readonly allow: readonly string[]
    readonly deny: readonly string[]
  }
  /** absent: the mode does not look at paths */
  readonly writable?: readonly string[] | undefined
  readonly approval: "none" | "person"
  /** absent: over HTTP */
  readonly instance?: string | undefined
  readonly setAt?: string | undefined
  readonly setBy?: string | undefined
  /** where the mode was changed */
  readonly previous?: string | null | undefined
}

/** Of mode.status, defaults filled in. */
export type ModeStatusParams = Readonly<Record<string, never>>

/** What mode.status answers with. */
export type ModeStatusData = {
  /** null: none is declared */
  readonly mode: string | null
  readonly instance?: string | undefined
  /** the key that binds callers over HTTP, who have no instance */
  readonly boundBy?: string | undefined
  readonly setAt?: string | undefined
  readonly setBy?: string | undefined
  readonly modes: readonly {
    readonly name: string
    readonly description: string
    readonly approval: "none" | "person"
  }[]
}

/** Of switchboard.status, defaults filled in. */
export type SwitchboardStatusParams = Readonly<Record<string, never>>

/** What switchboard.status answers with. */
export type SwitchboardStatusData = {
  readonly version: string
  /** null: this runs without one */
  readonly daemon: ShownDaemon | null
  /** of this session's profile; private ones of other windows are left out */
  readonly servers: readonly ShownServer[]
  /** where packs keep what lasts */
  readonly store?: ShownStore | undefined
  /** of built-in tools */
  readonly packs: readonly ShownPack[]
  /** this session */
  readonly instance: {
    /** null: over HTTP */
    readonly id: string | null
    readonly profile?: string | undefined
    readonly era: string
    readonly workspace?: string | undefined
    /** null: none is declared; absent: none are configured */
    readonly mode?: string | null | undefined
  }
  /** that are connected here */
  readonly otherWindows: number
  /** what is to be known of this project; servers of it may wait for a person */
  readonly remarks?: readonly string[] | undefined
}
