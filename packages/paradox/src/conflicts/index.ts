/** `@switchboard/paradox/conflicts`: what is in effect in a playset, what is wrong with it, and how to mend it. */

export type { DiagnosticsIndex, DiagnosticsReport, PlaysetDiagnostic } from '../diagnostics/diagnostic.ts'
export { findDiagnostics } from '../diagnostics/find-diagnostics.ts'
export { type ImpliedText, impliedTextsOf } from '../diagnostics/implied-texts.ts'
export type { Patch } from '../patch/patch.ts'
export { PatchedIndex } from '../patch/patched-index.ts'
export { type PatchOptions, proposePatch } from '../patch/propose-patch.ts'
export { compareFields, normalizeScript } from './compare-definitions.ts'
export type {
  Conflict,
  ConflictClass,
  FieldDifference,
  PlaysetDefinition,
  PlaysetFile,
  PlaysetReference,
} from './conflict.ts'
export { harmOf } from './conflict.ts'
export { type EnginePlace, EngineVerdicts } from './engine-verdicts.ts'
export {
  type Agreement,
  type ConflictOptions,
  compareHarm,
  compareWithEngine,
  conflictsOfKey,
  conflictsOfPath,
  eachConflict,
  findConflicts,
  isEffective,
  winnerOf,
} from './find-conflicts.ts'
export { type JudgeContext, judgeKey, type KeyToJudge } from './judge-key.ts'
export { judgePath, type PathContext, type PathToJudge } from './judge-path.ts'
export { MemoryIndex } from './memory-index.ts'
export type { PlaysetIndex, PlaysetKey } from './playset-index.ts'
export { POLICIES, type Policy, policyOf, type RuleConfidence } from './policies.ts'
