// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.

/** What every tool that lets a program run answers with */
export type Snapshot = StoppedSnapshot | EndedSnapshot | RunningSnapshot

export type StoppedSnapshot = {
  readonly event: "stopped"
  readonly sessionId: string
  readonly threadId: number
  /** breakpoint, step, exception, pause, entry … */
  readonly reason: string
  readonly text?: string | undefined
  /** ids of those that were hit */
  readonly breakpoints?: readonly string[] | undefined
  readonly path?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly function?: string | undefined
  readonly frameId?: number | undefined
  readonly source: readonly SourceLine[]
  /** callers of the one that is shown, the innermost first: of the person's code, or where it stands in a library, all that have source */
  readonly frames: readonly ShownFrame[]
  readonly locals: readonly ShownLocal[]
  readonly moreLocals?: boolean | undefined
  readonly exception?: {
    readonly type: string
    readonly message: string
  } | undefined
  /** at a stop that no breakpoint made */
  readonly unbound?: readonly string[] | undefined
  /** what was printed since the last answer */
  readonly output?: string | undefined
  /** characters of it that are not shown */
  readonly droppedOutput?: number | undefined
  /** what one would be misled without: a condition that fails, a file that was changed since */
  readonly notes?: readonly string[] | undefined
  /** what could not be read, and why */
  readonly problems?: readonly string[] | undefined
  /** tools that usually follow */
  readonly next: readonly string[]
}

export type EndedSnapshot = {
  readonly event: "terminated"
  readonly sessionId: string
  readonly exitCode?: number | null | undefined
  readonly signal?: string | undefined
  readonly error?: string | undefined
  /** breakpoints that were never bound, and why: often the reason that it ended without a stop */
  readonly unbound?: readonly string[] | undefined
  /** when nothing has stopped it: those that were bound; their lines were not reached, or their files not loaded */
  readonly notHit?: readonly string[] | undefined
  /** conditions that failed */
  readonly notes?: readonly string[] | undefined
  readonly output?: string | undefined
  readonly droppedOutput?: number | undefined
  readonly next: readonly string[]
}

export type RunningSnapshot = {
  readonly event: "running"
  readonly sessionId?: string | undefined
  readonly waitedMs: number
  readonly unbound?: readonly string[] | undefined
  readonly output?: string | undefined
  readonly droppedOutput?: number | undefined
  readonly next: readonly string[]
}

export type SourceLine = {
  readonly line: number
  readonly text: string
}

export type ShownFrame = {
  readonly frameId: number
  readonly name: string
  readonly path?: string | undefined
  readonly line?: number | undefined
}

export type ShownLocal = {
  readonly name: string
  /** short; ends with …(+n) when n characters were left out */
  readonly value: string
  readonly type?: string | undefined
  /** for variable_get; good until the program goes on */
  readonly ref?: number | undefined
  /** since this frame was last shown */
  readonly change?: "new" | "changed" | undefined
  /** the value before */
  readonly from?: string | undefined
}

export type ShownBreakpoint = {
  readonly id: string
  readonly path: string
  readonly line: number
  readonly condition?: string | undefined
  readonly hitCondition?: string | undefined
  readonly logMessage?: string | undefined
  /** pending: there is no session yet; unbound: message says why, and it may still be bound when its code is loaded */
  readonly state: "bound" | "unbound" | "pending"
  /** the line where it really is */
  readonly movedTo?: number | undefined
  readonly message?: string | undefined
}

export type ShownVariable = {
  readonly name: string
  readonly value: string
  readonly type?: string | undefined
  /** for variable_get; good until the program goes on */
  readonly ref?: number | undefined
  /** how many members it has */
  readonly named?: number | undefined
  /** how many items it has */
  readonly indexed?: number | undefined
}

export type ShownNode = {
  readonly name: string
  readonly value: string
  readonly type?: string | undefined
  readonly ref?: number | undefined
  readonly named?: number | undefined
  readonly indexed?: number | undefined
  readonly children?: readonly ShownNode[] | undefined
}

/** Of breakpoint.add, defaults filled in. */
export type BreakpointAddParams = {
  readonly path: string
  readonly line: number
  /** in the program's language */
  readonly condition?: string
  /** 5, >= 3, % 10 */
  readonly hitCondition?: string
  /** print it and go on; {expression} inside is evaluated */
  readonly logMessage?: string
}

/** What breakpoint.add answers with. */
export type BreakpointAddData = {
  readonly breakpoint: ShownBreakpoint
}

/** Of breakpoint.clear.file, defaults filled in. */
export type BreakpointClearFileParams = {
  readonly path: string
}

/** What breakpoint.clear.file answers with. */
export type BreakpointClearFileData = {
  readonly path: string
  readonly cleared: number
}

/** Of breakpoint.clear.project, defaults filled in. */
export type BreakpointClearProjectParams = Readonly<Record<string, never>>

/** What breakpoint.clear.project answers with. */
export type BreakpointClearProjectData = {
  readonly cleared: number
}

/** Of breakpoint.list, defaults filled in. */
export type BreakpointListParams = Readonly<Record<string, never>>

/** What breakpoint.list answers with. */
export type BreakpointListData = {
  readonly breakpoints: readonly ShownBreakpoint[]
  readonly total: number
}

/** Of breakpoint.remove, defaults filled in. */
export type BreakpointRemoveParams = {
  readonly path: string
  readonly line: number
}

/** What breakpoint.remove answers with. */
export type BreakpointRemoveData = {
  readonly path: string
  readonly line: number
  readonly removed: true
}

/** Of bridge.status, defaults filled in. */
export type BridgeStatusParams = Readonly<Record<string, never>>

/** What bridge.status answers with. */
export type BridgeStatusData = {
  readonly healthy: boolean
  readonly lastSeen: string | null
  readonly lastSeenAgo: number | null
  readonly bridgeRoot: string | null
  readonly transport: "none" | "files"
  readonly backend: "headless"
}

/** Of code.replace-method, defaults filled in. */
export type CodeReplaceMethodParams = {
  /** type:path:qualified.name, in place of path and symbol */
  readonly nodeId?: string
  readonly path?: string
  readonly symbol?: string
  readonly replacement: string
  /** only tell what would be replaced */
  readonly dryRun: boolean
}

/** What code.replace-method answers with. */
export type CodeReplaceMethodData = {
  readonly applied: boolean
  readonly symbol: string
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly before: string
}

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

/** Of debug.continue, defaults filled in. */
export type DebugContinueParams = {
  readonly sessionId?: string
  readonly threadId?: number
  readonly timeoutMs: number
  /** run to a line (path: the current file); only condition: step until it holds */
  readonly until?: {
    readonly path?: string
    readonly line?: number
    readonly condition?: string
  }
}

/** What debug.continue answers with. */
export type DebugContinueData = Snapshot

/** Of debug.evaluate, defaults filled in. */
export type DebugEvaluateParams = {
  readonly expression: string
  /** of debug_stack */
  readonly frameId?: number
  /** repl: statements; hover: without side effects */
  readonly context: "watch" | "repl" | "hover"
  readonly sessionId?: string
  readonly timeoutMs: number
}

/** What debug.evaluate answers with. */
export type DebugEvaluateData = {
  /** the expression */
  readonly name: string
  readonly value: string
  /** the same as value */
  readonly result: string
  readonly type?: string | undefined
  /** for variable_get; good until the program goes on */
  readonly ref?: number | undefined
  readonly named?: number | undefined
  readonly indexed?: number | undefined
}

/** Of debug.pause, defaults filled in. */
export type DebugPauseParams = {
  readonly sessionId?: string
  readonly threadId?: number
  readonly timeoutMs: number
}

/** What debug.pause answers with. */
export type DebugPauseData = Snapshot

/** Of debug.probe, defaults filled in. */
export type DebugProbeParams = {
  readonly points: readonly {
    readonly path: string
    /** values are those before the line runs */
    readonly line: number
    readonly expressions: readonly string[]
    readonly condition?: string
  }[]
  /** as debug_start takes it */
  readonly program?: string
  /** in place of program */
  readonly test?: {
    readonly path: string
    readonly line: number
    readonly case?: string
  }
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly language?: string
  /** shown of each point; all are counted */
  readonly maxHits: number
  readonly maxBytes: number
  readonly timeoutMs: number
}

/** What debug.probe answers with. */
export type DebugProbeData = {
  readonly hits: readonly {
    readonly point: number
    readonly values: readonly string[]
  }[]
  readonly points: readonly {
    readonly path: string
    readonly line: number
    readonly hits: number
    readonly bound: boolean
    readonly movedTo?: number | undefined
    readonly message?: string | undefined
    /** why its condition failed */
    readonly failure?: string | undefined
  }[]
  readonly outcome: "ended" | "time"
  readonly exitCode?: number | null | undefined
  readonly output?: string | undefined
}

/** Of debug.restart, defaults filled in. */
export type DebugRestartParams = {
  readonly sessionId?: string
  readonly timeoutMs: number
}

/** What debug.restart answers with. */
export type DebugRestartData = Snapshot

/** Of debug.run-to, defaults filled in. */
export type DebugRunToParams = {
  /** default: the current file */
  readonly path?: string
  readonly line: number
  /** stop there only when it holds */
  readonly condition?: string
  readonly sessionId?: string
  readonly threadId?: number
  readonly timeoutMs: number
}

/** What debug.run-to answers with. */
export type DebugRunToData = Snapshot

/** Of debug.scopes, defaults filled in. */
export type DebugScopesParams = {
  /** default: the frame shown last */
  readonly frameId?: number
  readonly sessionId?: string
}

/** What debug.scopes answers with. */
export type DebugScopesData = {
  readonly frameId: number
  readonly scopes: readonly {
    readonly name: string
    readonly kind: "local" | "arguments" | "block" | "closure" | "global" | "registers" | "other"
    readonly ref: number
    readonly expensive: boolean
  }[]
}

/** Of debug.stack, defaults filled in. */
export type DebugStackParams = {
  readonly sessionId?: string
  readonly threadId?: number
  readonly start: number
  readonly count: number
  /** without libraries and runtime */
  readonly onlyUser: boolean
}

/** What debug.stack answers with. */
export type DebugStackData = {
  readonly threadId: number
  readonly frames: readonly {
    readonly frameId: number
    readonly name: string
    readonly path?: string | undefined
    readonly line?: number | undefined
    /** not of a library or the runtime */
    readonly isUser: boolean
  }[]
  readonly total?: number | undefined
  readonly hasMore: boolean
}

/** Of debug.start, defaults filled in. */
export type DebugStartParams = {
  /** name in launch.json */
  readonly launch?: string
  /** whose launch.json it is */
  readonly folder?: string
  /** its ${input:id}, by id */
  readonly inputs?: Readonly<Record<string, string>>
  /** file to run; Go: a package folder; C, C++, Rust: the compiled program */
  readonly program?: string
  /** Python, in place of program */
  readonly module?: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** node, typescript, python, c, cpp, rust, go, ruby */
  readonly language?: string
  /** interpreter */
  readonly runtime?: string
  readonly runtimeArgs?: readonly string[]
  /** with language */
  readonly attach?: {
    readonly port?: number
    readonly pid?: number
    readonly host?: string
  }
  readonly breakpoints?: readonly {
    readonly path: string
    readonly line: number
    readonly condition?: string
    readonly hitCondition?: string
    readonly logMessage?: string
  }[]
  /** run to this line, once */
  readonly until?: {
    readonly path?: string
    readonly line: number
    readonly condition?: string
  }
  readonly stopOnEntry: boolean
  /** step into libraries */
  readonly libraries?: boolean
  /** default: uncaught */
  readonly exceptions?: "none" | "uncaught" | "all"
  /** without its tasks */
  readonly skipTask?: boolean
  /** false: answer at once, then debug_wait_for_hit */
  readonly wait: boolean
  readonly timeoutMs: number
}

/** What debug.start answers with. */
export type DebugStartData = Snapshot

/** Of debug.status, defaults filled in. */
export type DebugStatusParams = {
  /** lines that it printed last */
  readonly output?: number
  /** the last so many of them */
  readonly skip: number
}

/** What debug.status answers with. */
export type DebugStatusData = {
  readonly isActive: boolean
  readonly isPaused: boolean
  /** id of the session that calls without one are about */
  readonly current?: string | undefined
  readonly sessions: readonly {
    readonly sessionId: string
    readonly name: string
    readonly language: string
    readonly state: string
    readonly pid?: number | undefined
    readonly parent?: string | undefined
    readonly exitCode?: number | null | undefined
  }[]
  /** of the current session */
  readonly threads?: readonly {
    readonly id: number
    readonly name: string
    readonly state: string
  }[] | undefined
  readonly output?: readonly string[] | undefined
  readonly totalBreakpoints: number
  readonly snapshot?: Snapshot | undefined
}

/** Of debug.step-into, defaults filled in. */
export type DebugStepIntoParams = {
  readonly sessionId?: string
  readonly threadId?: number
  readonly timeoutMs: number
}

/** What debug.step-into answers with. */
export type DebugStepIntoData = Snapshot

/** Of debug.step-out, defaults filled in. */
export type DebugStepOutParams = {
  readonly sessionId?: string
  readonly threadId?: number
  readonly timeoutMs: number
}

/** What debug.step-out answers with. */
export type DebugStepOutData = Snapshot

/** Of debug.step-over, defaults filled in. */
export type DebugStepOverParams = {
  readonly sessionId?: string
  readonly threadId?: number
  readonly timeoutMs: number
}

/** What debug.step-over answers with. */
export type DebugStepOverData = Snapshot

/** Of debug.stop, defaults filled in. */
export type DebugStopParams = {
  readonly sessionId?: string
  /** every session */
  readonly all?: boolean
  /** also one that was attached to */
  readonly kill?: boolean
}

/** What debug.stop answers with. */
export type DebugStopData = {
  readonly status: "terminated"
  readonly stoppedCount: number
  readonly stoppedSessions: readonly string[]
  readonly output?: string | undefined
}

/** Of debug.threads, defaults filled in. */
export type DebugThreadsParams = {
  readonly sessionId?: string
}

/** What debug.threads answers with. */
export type DebugThreadsData = {
  readonly sessionId: string
  readonly currentThreadId?: number | undefined
  readonly threads: readonly {
    readonly id: number
    readonly name: string
    readonly state: "running" | "stopped"
  }[]
}

/** Of debug.trace-function, defaults filled in. */
export type DebugTraceFunctionParams = {
  /** file of the function */
  readonly path: string
  /** name, or Class.name */
  readonly function?: string
  /** in place of the name - first line to follow */
  readonly line?: number
  /** which call of it */
  readonly call: number
  /** only a call where this holds at its first line */
  readonly condition?: string
  /** as debug_start takes it */
  readonly program?: string
  /** in place of program */
  readonly test?: {
    readonly path: string
    readonly line: number
    readonly case?: string
  }
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly language?: string
  /** without program or test: goes on in this session */
  readonly sessionId?: string
  readonly maxSteps: number
  readonly maxBytes: number
  readonly timeoutMs: number
}

/** What debug.trace-function answers with. */
export type DebugTraceFunctionData = {
  readonly function: string
  readonly path: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly steps: readonly {
    readonly line: number
    readonly changed: Readonly<Record<string, unknown>>
  }[]
  /** steps, bytes, time: a budget was used up */
  readonly outcome: "returned" | "threw" | "ended" | "steps" | "bytes" | "time"
  readonly returned?: string | undefined
  readonly exception?: string | undefined
  readonly output?: string | undefined
}

/** Of debug.wait-for-hit, defaults filled in. */
export type DebugWaitForHitParams = {
  /** default: all sessions */
  readonly sessionId?: string
  readonly timeoutMs: number
}

/** What debug.wait-for-hit answers with. */
export type DebugWaitForHitData = Snapshot

/** Of diagnostic.collect, defaults filled in. */
export type DiagnosticCollectParams = {
  readonly path?: string
}

/** What diagnostic.collect answers with. */
export type DiagnosticCollectData = {
  readonly diagnostics: readonly {
    readonly path: string
    readonly line: number
    readonly column: number
    readonly severity: string
    readonly message: string
    readonly source?: string | undefined
    readonly code?: string | undefined
  }[]
  readonly total: number
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

/** Of editor.get-context, defaults filled in. */
export type EditorGetContextParams = Readonly<Record<string, never>>

/** What editor.get-context answers with. */
export type EditorGetContextData = {
  readonly path: string | null
  readonly language?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly unsaved?: boolean | undefined
  readonly selection?: {
    readonly startLine: number
    readonly endLine: number
    readonly text: string
  } | undefined
  /** the innermost symbol around the cursor */
  readonly inside?: string | undefined
  /** in the file */
  readonly symbols?: number | undefined
}

/** Of editor.goto-line, defaults filled in. */
export type EditorGotoLineParams = {
  readonly path: string
  readonly line: number
  readonly column: number
}

/** What editor.goto-line answers with. */
export type EditorGotoLineData = {
  readonly path: string
  readonly line: number
  readonly column: number
  /** of the line */
  readonly text: string
}

/** Of editor.show-testing-ui, defaults filled in. */
export type EditorShowTestingUiParams = Readonly<Record<string, never>>

/** What editor.show-testing-ui answers with. */
export type EditorShowTestingUiData = {
  readonly shown: true
}

/** Of search.symbol-search, defaults filled in. */
export type SearchSymbolSearchParams = {
  readonly query: string
  readonly mode: "workspace" | "document"
  readonly path?: string
  /** a comma list: function,class */
  readonly kinds?: string
  readonly limit: number
  readonly includeLocation: boolean
  readonly includeContainer: boolean
}

/** What search.symbol-search answers with. */
export type SearchSymbolSearchData = {
  readonly symbols: readonly {
    readonly name: string
    readonly kind: string
    readonly path?: string | undefined
    readonly line?: number | undefined
    readonly container?: string | undefined
  }[]
  readonly total: number
  readonly source: "editor" | "index"
}

/** Of symbol.calls, defaults filled in. */
export type SymbolCallsParams = {
  /** type:path:qualified.name, in place of path and symbol */
  readonly nodeId?: string
  readonly path?: string
  readonly symbol?: string
  readonly direction: "incoming" | "outgoing"
  /** add a nodeId to each */
  readonly enrichWithFlowspaceIds: boolean
}

/** What symbol.calls answers with. */
export type SymbolCallsData = {
  readonly symbol: string
  readonly direction: string
  readonly calls: readonly {
    readonly name: string
    readonly kind: string
    readonly path: string
    readonly line: number
    /** lines */
    readonly calledAt: readonly number[]
    readonly nodeId?: string | undefined
  }[]
  readonly totalCalls: number
  readonly source: "editor" | "index"
}

/** Of symbol.navigate, defaults filled in. */
export type SymbolNavigateParams = {
  /** type:path:qualified.name, in place of path and symbol */
  readonly nodeId?: string
  readonly path?: string
  readonly symbol?: string
  readonly action: "references" | "implementations"
  readonly includeDeclaration?: boolean
  /** add a nodeId to each */
  readonly enrichWithFlowspaceIds: boolean
}

/** What symbol.navigate answers with. */
export type SymbolNavigateData = {
  readonly action: string
  readonly symbol: string
  readonly locations: readonly {
    readonly path: string
    readonly line: number
    readonly column: number
    readonly text: string
    /** of the symbol around it */
    readonly nodeId?: string | undefined
  }[]
  readonly total: number
  readonly source: "editor" | "index"
}

/** Of symbol.rename, defaults filled in. */
export type SymbolRenameParams = {
  /** type:path:qualified.name, in place of path and symbol */
  readonly nodeId?: string
  readonly path?: string
  readonly symbol?: string
  readonly newName: string
}

/** What symbol.rename answers with. */
export type SymbolRenameData = {
  readonly applied: boolean
  readonly symbol: string
  readonly changes: readonly {
    readonly path: string
    readonly edits: number
  }[]
  readonly totalFiles: number
  readonly totalEdits: number
}

/** Of test.debug-single, defaults filled in. */
export type TestDebugSingleParams = {
  readonly path: string
  /** any line of the test */
  readonly line: number
  readonly column: number
  /** one case of pytest, such as 10-80 */
  readonly case?: string
  readonly breakpoints?: readonly {
    readonly path: string
    readonly line: number
    readonly condition?: string
    readonly hitCondition?: string
    readonly logMessage?: string
  }[]
  readonly stopOnFailure: boolean
  readonly timeoutMs: number
}

/** What test.debug-single answers with. */
export type TestDebugSingleData = {
  readonly outcome: "stopped" | "running" | "passed" | "failed" | "skipped"
  readonly test: {
    readonly name: string
    readonly framework: string
    readonly line: number
  }
  readonly snapshot: Snapshot
}

/** Of test.list, defaults filled in. */
export type TestListParams = {
  readonly path: string
}

/** What test.list answers with. */
export type TestListData = {
  readonly framework: string
  readonly path: string
  readonly tests: readonly {
    readonly name: string
    readonly line: number
    readonly endLine: number
    readonly suite?: boolean | undefined
    readonly parametrised?: boolean | undefined
  }[]
}

/** Of util.restart-vscode, defaults filled in. */
export type UtilRestartVscodeParams = Readonly<Record<string, never>>

/** What util.restart-vscode answers with. */
export type UtilRestartVscodeData = {
  readonly restarting: true
}

/** Of variable.get, defaults filled in. */
export type VariableGetParams = {
  /** a ref that was shown */
  readonly variablesReference?: number
  /** in place of a reference */
  readonly expression?: string
  readonly start: number
  readonly count: number
  readonly filter: "indexed" | "named" | "all"
  readonly sessionId?: string
}

/** What variable.get answers with. */
export type VariableGetData = {
  readonly children: readonly ShownVariable[]
  /** a piece of a text, as the language writes it */
  readonly text?: string | undefined
  /** characters of the whole text */
  readonly length?: number | undefined
  readonly pagination: {
    readonly start: number
    readonly count: number
    readonly shown: number
    readonly hasMore: boolean
  }
}

/** Of variable.list, defaults filled in. */
export type VariableListParams = {
  readonly scope: "local" | "closure" | "global" | "all"
  /** how deep to look inside */
  readonly maxDepth: number
  /** of debug_stack */
  readonly frameId?: number
  readonly sessionId?: string
}

/** What variable.list answers with. */
export type VariableListData = {
  readonly frameId: number
  readonly variables: readonly ShownNode[]
  readonly truncated: boolean
}

/** Of variable.save, defaults filled in. */
export type VariableSaveParams = {
  /** in the workspace */
  readonly outputPath: string
  readonly expression: string
  readonly pageSize: number
  /** default: all, up to 1000000 */
  readonly maxItems?: number
  readonly context: "watch" | "repl" | "hover"
  readonly overwrite: boolean
  readonly sessionId?: string
}

/** What variable.save answers with. */
export type VariableSaveData = {
  readonly outputPath: string
  readonly bytes: number
  readonly counts: {
    readonly named: number
    readonly indexed: number
  }
  readonly truncatedByLimit: boolean
}

/** Of variable.set, defaults filled in. */
export type VariableSetParams = {
  readonly name: string
  /** as the language writes it: 42, "text" */
  readonly value: string
  /** what it stands in; default: the locals */
  readonly variablesReference?: number
  readonly frameId?: number
  readonly sessionId?: string
}

/** What variable.set answers with. */
export type VariableSetData = ShownVariable
