// Generated from the *.meta.yaml files and guides of this pack. Do not edit: npm run generate.

/** Of dap.compare, defaults filled in. */
export type DapCompareParams = {
  readonly sessionA: string
  readonly sessionB: string
  readonly compareBy: "counts" | "exceptions" | "timeline" | "outputs"
}

/** What dap.compare answers with. */
export type DapCompareData = {
  readonly compareBy: string
  readonly same: boolean
  readonly differences: readonly {
    readonly what: string
    readonly a?: string | undefined
    readonly b?: string | undefined
  }[]
  readonly truncated: boolean
}

/** Of dap.exceptions, defaults filled in. */
export type DapExceptionsParams = {
  /** a captured session; default is the newest */
  readonly sessionId?: string
  readonly count: number
  readonly withContext: boolean
  readonly contextLines: number
}

/** What dap.exceptions answers with. */
export type DapExceptionsData = {
  readonly exceptions: readonly {
    readonly ts: number
    readonly relativeTime: string
    readonly type: string
    readonly message: string
    /** a stop of the debugger or only printed */
    readonly from: "stop" | "output"
    readonly stack: readonly string[]
    readonly before?: readonly string[] | undefined
  }[]
  readonly total: number
  readonly session: Readonly<Record<string, unknown>>
}

/** Of dap.filter, defaults filled in. */
export type DapFilterParams = {
  /** a captured session; default is the newest */
  readonly sessionId?: string
  /** at least one of its members */
  readonly filters: {
    readonly categories?: readonly ("stdout" | "stderr" | "console" | "telemetry")[]
    readonly timeRange?: {
      /** milliseconds after the start; negative: before the end */
      readonly from?: number
      readonly to?: number
    }
    /** texts, any of them */
    readonly include?: readonly string[]
    /** texts, none of them */
    readonly exclude?: readonly string[]
    /** parts of paths */
    readonly sources?: readonly string[]
    readonly minLength?: number
    readonly maxLength?: number
  }
}

/** What dap.filter answers with. */
export type DapFilterData = {
  readonly events: readonly {
    readonly ts: number
    readonly relativeTime: string
    readonly category: string
    readonly text: string
    readonly source?: string | undefined
  }[]
  readonly stats: Readonly<Record<string, unknown>>
  readonly totalFiltered: number
  readonly totalInSession: number
  readonly session: Readonly<Record<string, unknown>>
}

/** Of dap.logs, defaults filled in. */
export type DapLogsParams = {
  /** a captured session; default is the newest */
  readonly sessionId?: string
  readonly count: number
  readonly category: "all" | "stdout" | "stderr" | "console" | "telemetry"
  /** regular expression, any case */
  readonly search?: string
  /** milliseconds since 1970; negative: before now */
  readonly since?: number
  /** newest first */
  readonly reverse: boolean
  readonly showSource: boolean
}

/** What dap.logs answers with. */
export type DapLogsData = {
  readonly logs: readonly {
    readonly ts: number
    readonly relativeTime: string
    readonly category: string
    readonly text: string
    readonly source?: string | undefined
  }[]
  readonly matched: number
  readonly total: number
  readonly filtered: {
    readonly byCategory: number
    readonly bySearch: number
    readonly byTime: number
  }
  readonly session: Readonly<Record<string, unknown>>
}

/** Of dap.search, defaults filled in. */
export type DapSearchParams = {
  /** default is all captured sessions */
  readonly sessionId?: string
  /** regular expression */
  readonly pattern: string
  readonly category: "all" | "stdout" | "stderr" | "console" | "telemetry"
  readonly contextLines: number
  readonly limit: number
  readonly caseSensitive: boolean
}

/** What dap.search answers with. */
export type DapSearchData = {
  readonly matches: readonly {
    readonly session: string
    readonly line: {
      readonly ts: number
      readonly relativeTime: string
      readonly category: string
      readonly text: string
      readonly source?: string | undefined
    }
    readonly before: readonly string[]
    readonly after: readonly string[]
  }[]
  readonly totalMatches: number
  readonly matchesBySession: Readonly<Record<string, unknown>>
  readonly sessionsSearched: number
  readonly pattern: string
  readonly truncated: boolean
}

/** Of dap.stats, defaults filled in. */
export type DapStatsParams = {
  /** default is the newest; with groupBy session, all */
  readonly sessionId?: string
  readonly groupBy: "category" | "source" | "hour" | "session"
  readonly includeCharts: boolean
}

/** What dap.stats answers with. */
export type DapStatsData = {
  readonly distribution: Readonly<Record<string, number>>
  /** lines that repeat most */
  readonly topN: readonly {
    readonly text: string
    readonly count: number
  }[]
  readonly averages: {
    readonly lineLength: number
    readonly linesPerSecond: number
  }
  readonly anomalies: readonly string[]
  readonly charts?: string | undefined
  readonly summary: string
}

/** Of dap.summary, defaults filled in. */
export type DapSummaryParams = {
  /** a captured session; default is the newest */
  readonly sessionId?: string
  /** without samples */
  readonly compact: boolean
}

/** What dap.summary answers with. */
export type DapSummaryData = {
  readonly session: Readonly<Record<string, unknown>>
  readonly counts: {
    readonly stdout: number
    readonly stderr: number
    readonly console: number
    readonly events: Readonly<Record<string, unknown>>
    readonly exceptions: number
  }
  readonly metrics: {
    readonly duration: number
    readonly bytes: number
    readonly linesPerSecond: number
  }
  readonly health: {
    readonly hasExceptions: boolean
    readonly exceptionRate: number
    readonly errorRatio: number
    readonly exitCode?: number | null | undefined
    readonly abnormalExit: boolean
    readonly truncated: boolean
  }
  readonly samples?: {
    readonly first?: readonly string[] | undefined
    readonly last?: readonly string[] | undefined
    readonly stderr?: readonly string[] | undefined
  } | undefined
}

/** Of dap.timeline, defaults filled in. */
export type DapTimelineParams = {
  /** a captured session; default is the newest */
  readonly sessionId?: string
  /** default is all */
  readonly eventTypes?: readonly ("started" | "stopped" | "continued" | "exception" | "thread" | "breakpoint" | "child" | "exited" | "terminated" | "output")[]
  /** milliseconds from the start, or before the end */
  readonly window?: number
  /** summary: runs of output are one line; milestones: no output */
  readonly granularity: "all" | "summary" | "milestones"
  readonly fromEnd: boolean
}

/** What dap.timeline answers with. */
export type DapTimelineData = {
  readonly timeline: readonly {
    readonly ts: number
    readonly relativeTime: string
    readonly type: string
    readonly text: string
  }[]
  readonly milestones: number
  /** milliseconds */
  readonly duration: number
  readonly eventCount: number
  readonly session: Readonly<Record<string, unknown>>
}

/** Of docs.get, defaults filled in. */
export type DocsGetParams = {
  /** as docs_list gives it */
  readonly id: string
}

/** What docs.get answers with. */
export type DocsGetData = {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Of docs.list, defaults filled in. */
export type DocsListParams = {
  /** one tag exactly */
  readonly category?: string
  /** any of them */
  readonly tags?: readonly string[]
}

/** What docs.list answers with. */
export type DocsListData = {
  readonly guides: readonly {
    readonly id: string
    readonly title: string
    readonly summary: string
    readonly tags: readonly string[]
  }[]
}
