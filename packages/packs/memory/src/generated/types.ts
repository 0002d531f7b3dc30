// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.

export type Skill = {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly version: string
  readonly author: string
  readonly category: string
  readonly prerequisites: readonly string[]
  readonly expectedOutcome: string
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly usageCount: number
  /** null: nobody has told yet */
  readonly successRate: number | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type FoundSkill = {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly version: string
  readonly author: string
  readonly category: string
  readonly prerequisites: readonly string[]
  readonly expectedOutcome: string
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly usageCount: number
  /** null: nobody has told yet */
  readonly successRate: number | null
  readonly content: string
  /** to be compared within this answer only */
  readonly score: number
  readonly matched: "text" | "meaning" | "both"
  readonly createdAt: string
  readonly updatedAt: string
}

/** Of analytics.get, defaults filled in. */
export type AnalyticsGetParams = {
  /** today, or the last 7 or 30 days */
  readonly period: "daily" | "weekly" | "monthly" | "all-time"
  /** in place of the period */
  readonly startDate?: string
  readonly endDate?: string
  readonly projectPath?: string
}

/** What analytics.get answers with. */
export type AnalyticsGetData = {
  readonly period: string
  readonly startDate: string
  readonly endDate: string
  /** windows that called on a day */
  readonly sessions: number
  readonly calls: number
  readonly failed: number
  readonly searches: number
  readonly hits: number
  /** null where nothing was searched */
  readonly hitRate: number | null
  readonly tokens: number
  readonly tools: readonly {
    readonly tool: string
    readonly calls: number
    readonly failed: number
    readonly meanMs: number
    readonly slowestMs: number
    readonly searches: number
    readonly hits: number
    readonly tokens: number
  }[]
}

/** Of checkpoint.list, defaults filled in. */
export type CheckpointListParams = {
  readonly limit: number
  readonly offset: number
  readonly sortBy: "createdAt" | "updatedAt"
  readonly projectPath?: string
}

/** What checkpoint.list answers with. */
export type CheckpointListData = {
  readonly checkpoints: readonly {
    readonly id: string
    readonly summary: string
    readonly tags: readonly string[]
    readonly projectPath: string
    readonly createdAt: string
    readonly updatedAt: string
  }[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** Of checkpoint.resume, defaults filled in. */
export type CheckpointResumeParams = {
  /** or how it begins */
  readonly id?: string
  readonly level: "summary" | "context" | "full"
  readonly projectPath?: string
}

/** What checkpoint.resume answers with. */
export type CheckpointResumeData = {
  readonly id: string
  readonly level: "summary" | "context" | "full"
  readonly summary: string
  readonly description?: string | undefined
  readonly projectPath: string
  readonly context?: Readonly<Record<string, string>> | undefined
  /** what Switchboard had added */
  readonly facts: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
  readonly createdAt: string
}

/** Of checkpoint.save, defaults filled in. */
export type CheckpointSaveParams = {
  /** what was done and what comes next */
  readonly summary: string
  readonly description?: string
  /** commands, decisions, places */
  readonly context?: Readonly<Record<string, string>>
  readonly tags?: readonly string[]
  readonly projectPath?: string
}

/** What checkpoint.save answers with. */
export type CheckpointSaveData = {
  readonly id: string
  readonly summary: string
  readonly createdAt: string
  readonly tokenCount: number
}

/** Of checkpoint.search, defaults filled in. */
export type CheckpointSearchParams = {
  readonly query: string
  readonly topK: number
  readonly tags?: readonly string[]
  readonly projectPath?: string
}

/** What checkpoint.search answers with. */
export type CheckpointSearchData = {
  readonly results: readonly {
    readonly id: string
    readonly summary: string
    readonly description: string
    readonly projectPath: string
    readonly context: Readonly<Record<string, string>>
    readonly tags: readonly string[]
    /** 0 to 1: how much of the query stands in it, or how near its meaning is */
    readonly score: number
    readonly matched: "text" | "meaning" | "both"
    readonly createdAt: string
  }[]
  readonly query: string
  readonly topK: number
  readonly note?: string | undefined
}

/** Of index.repository, defaults filled in. */
export type IndexRepositoryParams = {
  /** absolute path of the folder */
  readonly path: string
  /** globs; only what one of them matches */
  readonly includePatterns?: readonly string[]
  readonly excludePatterns?: readonly string[]
  /** bytes */
  readonly maxFileSize: number
}

/** What index.repository answers with. */
export type IndexRepositoryData = {
  readonly path: string
  /** in the index now */
  readonly filesIndexed: number
  /** new or changed */
  readonly filesRead: number
  readonly filesUnchanged: number
  readonly filesRemoved: number
  /** pieces made of what was read */
  readonly chunks: number
  /** false: the time was over; call again to go on */
  readonly complete: boolean
  /** the first 100 */
  readonly skipped: readonly {
    readonly path: string
    readonly reason: string
  }[]
  readonly skippedTotal: number
  readonly includePatterns: readonly string[]
  readonly excludePatterns: readonly string[]
  readonly maxFileSize: number
  readonly indexedAt: string
}

/** Of list.patterns, defaults filled in. */
export type ListPatternsParams = {
  readonly category?: "configuration" | "resource" | "dependency" | "permission" | "logic" | "network" | "storage" | "general"
  readonly severity?: "low" | "medium" | "high" | "critical"
  /** leaves out those of which nobody has told */
  readonly minSuccessRate?: number
  readonly limit: number
}

/** What list.patterns answers with. */
export type ListPatternsData = {
  readonly patterns: readonly {
    readonly id: string
    readonly errorPattern: string
    readonly category: string
    readonly severity: string
    readonly rootCause: string
    readonly solution: string
    readonly successRate: number | null
    readonly tags: readonly string[]
    readonly usageCount: number
    readonly lastUsed: string | null
  }[]
  readonly total: number
}

/** Of memory.status, defaults filled in. */
export type MemoryStatusParams = Readonly<Record<string, never>>

/** What memory.status answers with. */
export type MemoryStatusData = {
  readonly status: "healthy" | "degraded" | "unhealthy"
  readonly services: Readonly<Record<string, {
    readonly status: "healthy" | "unhealthy" | "unknown"
    readonly error?: string | undefined
  }>>
  /** that this window may see */
  readonly items: Readonly<Record<string, number>>
  /** of the whole store */
  readonly bytes: number
  /** 0: nothing is deleted by itself */
  readonly retentionDays: number
  readonly uptimeMs: number
  readonly tools: number
  readonly lastUpdated: string
}

/** Of remediation.feedback, defaults filled in. */
export type RemediationFeedbackParams = {
  readonly id: string
  readonly worked: boolean
}

/** What remediation.feedback answers with. */
export type RemediationFeedbackData = {
  readonly id: string
  readonly worked: number
  readonly failed: number
}

/** Of remediation.save, defaults filled in. */
export type RemediationSaveParams = {
  /** as it was printed */
  readonly errorMessage: string
  /** cause, then what to do */
  readonly solution: string
  readonly errorType?: string
  readonly stackTrace?: string
  readonly severity: "low" | "medium" | "high" | "critical"
  readonly scope: "shared" | "project"
  readonly context?: Readonly<Record<string, string>>
  readonly tags?: readonly string[]
  readonly projectPath?: string
}

/** What remediation.save answers with. */
export type RemediationSaveData = {
  readonly id: string
  readonly errorMessage: string
  readonly errorType: string
  readonly solution: string
  readonly scope: "shared" | "project"
  /** whether it was stored before */
  readonly merged: boolean
  readonly createdAt: string
}

/** Of remediation.search, defaults filled in. */
export type RemediationSearchParams = {
  /** as it was printed */
  readonly errorMessage: string
  readonly stackTrace?: string
  readonly limit: number
  readonly minScore: number
  readonly tags?: readonly string[]
}

/** What remediation.search answers with. */
export type RemediationSearchData = {
  readonly results: readonly {
    readonly id: string
    readonly errorMessage: string
    readonly errorType: string
    readonly solution: string
    readonly severity: "low" | "medium" | "high" | "critical"
    readonly scope: "shared" | "project"
    readonly tags: readonly string[]
    readonly context: Readonly<Record<string, string>>
    readonly matchScore: number
    readonly semanticScore: number
    readonly stringScore: number
    readonly stackTraceMatch: boolean
    readonly errorTypeMatch: boolean
    readonly worked: number
    readonly failed: number
    readonly createdAt: string
  }[]
  readonly query: string
  readonly total: number
  readonly note?: string | undefined
}

/** Of repository.search, defaults filled in. */
export type RepositorySearchParams = {
  readonly query: string
  /** absolute path of a folder; default: the folder of this window */
  readonly path?: string
  readonly limit: number
  /** minimal: places only */
  readonly contentMode: "minimal" | "preview" | "full"
}

/** What repository.search answers with. */
export type RepositorySearchData = {
  readonly results: readonly {
    /** from root */
    readonly path: string
    readonly firstLine: number
    readonly lastLine: number
    readonly symbol?: string | undefined
    readonly kind?: string | undefined
    readonly snippet?: string | undefined
    readonly why: string
    readonly matched: "text" | "meaning" | "both"
    readonly score: number
    /** the file has changed since */
    readonly stale: boolean
  }[]
  readonly root: string
  readonly query: string
  readonly limit: number
  readonly index: {
    readonly state: "none" | "building" | "interrupted" | "complete"
    readonly files: number
    readonly indexedAt?: string | undefined
  }
  /** files that would have been hits */
  readonly gone: readonly string[]
  readonly note?: string | undefined
}

/** Of skill.apply, defaults filled in. */
export type SkillApplyParams = {
  /** id or name */
  readonly id: string
  /** an older one; default: the one that it has now */
  readonly version?: string
}

/** What skill.apply answers with. */
export type SkillApplyData = {
  readonly id: string
  readonly useId: string
  readonly name: string
  readonly version: string
  readonly content: string
  readonly prerequisites: readonly string[]
  readonly expectedOutcome: string
  readonly usageCount: number
  readonly successRate: number | null
}

/** Of skill.create, defaults filled in. */
export type SkillCreateParams = {
  /** becomes the name of a prompt: Deploy to staging is deploy-to-staging */
  readonly name: string
  /** what it does and when to use it */
  readonly description: string
  /** Markdown */
  readonly content: string
  /** semantic, such as 1.0.0 */
  readonly version: string
  readonly author: string
  readonly category: string
  readonly prerequisites?: readonly string[]
  readonly expectedOutcome?: string
  readonly tags?: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
}

/** What skill.create answers with. */
export type SkillCreateData = {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly tokenCount: number
  readonly createdAt: string
}

/** Of skill.delete, defaults filled in. */
export type SkillDeleteParams = {
  /** id or name */
  readonly id: string
}

/** What skill.delete answers with. */
export type SkillDeleteData = {
  readonly id: string
  readonly message: string
}

/** Of skill.feedback, defaults filled in. */
export type SkillFeedbackParams = {
  /** of skill_apply */
  readonly useId: string
  readonly success: boolean
}

/** What skill.feedback answers with. */
export type SkillFeedbackData = {
  readonly id: string
  readonly name: string
  readonly usageCount: number
  readonly successRate: number | null
}

/** Of skill.list, defaults filled in. */
export type SkillListParams = {
  /** id or name of one: lists its versions as well */
  readonly id?: string
  readonly limit: number
  readonly offset: number
  readonly category?: string
  readonly tags?: readonly string[]
  readonly sortBy: "createdAt" | "updatedAt" | "usageCount" | "successRate"
}

/** What skill.list answers with. */
export type SkillListData = {
  readonly skills: readonly Skill[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  /** of the one that was asked for, before the one that it has now; the last first */
  readonly versions?: readonly {
    readonly version: string
    readonly replacedAt: string
  }[] | undefined
}

/** Of skill.search, defaults filled in. */
export type SkillSearchParams = {
  readonly query: string
  readonly topK: number
  readonly category?: string
  readonly tags?: readonly string[]
}

/** What skill.search answers with. */
export type SkillSearchData = {
  readonly results: readonly FoundSkill[]
  readonly query: string
  readonly topK: number
  readonly note?: string | undefined
}

/** Of skill.update, defaults filled in. */
export type SkillUpdateParams = {
  /** id or name */
  readonly id: string
  readonly name?: string
  readonly description?: string
  readonly content?: string
  readonly version?: string
  readonly category?: string
  readonly prerequisites?: readonly string[]
  readonly expectedOutcome?: string
  readonly tags?: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
}

/** What skill.update answers with. */
export type SkillUpdateData = {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly updatedAt: string
}

/** Of troubleshoot.diagnose, defaults filled in. */
export type TroubleshootDiagnoseParams = {
  readonly errorMessage: string
  readonly stackTrace?: string
  readonly context?: Readonly<Record<string, string>>
  readonly category?: "configuration" | "resource" | "dependency" | "permission" | "logic" | "network" | "storage" | "general"
  /** interactive may ask your own model for a guess; guided verifies before it acts, and may ask as well */
  readonly mode: "auto" | "interactive" | "guided"
  readonly tags?: readonly string[]
  readonly topK: number
}

/** What troubleshoot.diagnose answers with. */
export type TroubleshootDiagnoseData = {
  /** for troubleshoot_feedback; empty where the store does not answer */
  readonly sessionId: string
  readonly rootCause: string
  readonly confidence: "high" | "medium" | "low"
  readonly confidenceScore: number
  readonly category: string
  readonly severity: string
  readonly hypotheses: readonly {
    readonly description: string
    readonly probability: number
    readonly evidence: readonly string[]
    readonly category: string
    readonly verificationSteps: readonly string[]
  }[]
  readonly similarIssues: readonly {
    readonly id: string
    readonly errorPattern: string
    readonly rootCause: string
    readonly solution: string
    readonly matchScore: number
    readonly semanticScore: number
    readonly successRate: number | null
    readonly severity: string
    readonly category: string
    readonly tags: readonly string[]
    readonly confidence: string
    readonly isDestructive: boolean
    readonly safetyWarnings: readonly string[]
  }[]
  readonly recommendedActions: readonly {
    readonly step: number
    readonly description: string
    readonly commands: readonly string[]
    readonly expectedOutcome: string
    readonly destructive: boolean
    readonly safetyNotes: readonly string[]
  }[]
  readonly diagnosticSteps: readonly string[]
  /** what the client's own model thinks; not verified */
  readonly guess?: string | undefined
  readonly notes: readonly string[]
  readonly timeTakenMs: number
  readonly diagnosedAt: string
}

/** Of troubleshoot.feedback, defaults filled in. */
export type TroubleshootFeedbackParams = {
  /** of troubleshoot; counts once */
  readonly sessionId?: string
  /** in place of sessionId, where another pattern was right */
  readonly patternId?: string
  readonly worked: boolean
}

/** What troubleshoot.feedback answers with. */
export type TroubleshootFeedbackData = {
  readonly patternId: string
  readonly worked: number
  readonly failed: number
  readonly successRate: number
}
