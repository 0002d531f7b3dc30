/** What every tool of this pack is given besides its parameters. */
import type { Clock } from '@switchboard/base'
import type { Space } from '@switchboard/store'
import type { PackHost, PackServices, PackStore, ToolContext } from '@switchboard/toolkit'
import type { Config } from './config.ts'
import type { CallCounts } from './counts/call-counts.ts'
import type { PatternMatcher } from './diagnosis/match-patterns.ts'
import type { PatternCounts } from './diagnosis/pattern-counts.ts'
import type { RemediationSaver } from './remediations/save-remediation.ts'
import type { Indexer } from './repository/indexer.ts'
import type { Finder } from './search/finder.ts'
import type { Meaning } from './search/meaning.ts'
import type { SkillShelf } from './skills/skill-shelf.ts'

/** Each is a space of its own: how rare a word is differs between them. */
export type SpaceName = 'checkpoints' | 'remediations' | 'patterns' | 'skills' | 'code' | 'files' | 'counts'

export interface Host extends PackHost {
  readonly clock: Clock
  readonly config: Config
  readonly finder: Finder
  /** Undefined: no encoder is configured. */
  readonly meaning: Meaning | undefined
  readonly counts: CallCounts
  /** On the clock that only goes on. */
  readonly openedAt: number
  describeStore: PackStore['describe']
  /** What the rest of the house knows of a caller. */
  readonly services: PackServices
  readonly indexer: Indexer
  readonly skills: SkillShelf
  readonly remediations: RemediationSaver
  readonly patternCounts: PatternCounts
  /** Read when the first error is looked into: who has none pays nothing. */
  loadMatcher(): Promise<PatternMatcher>
  /** Opened when it is asked for the first time. */
  space(name: SpaceName): Promise<Space>
}

export type Context = ToolContext<Host>
