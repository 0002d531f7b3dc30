export { compareFields, normalizeScript } from './conflicts/compare-definitions.ts'
export type {
  Conflict,
  ConflictClass,
  FieldDifference,
  PlaysetDefinition,
  PlaysetFile,
  PlaysetReference,
} from './conflicts/conflict.ts'
export { harmOf } from './conflicts/conflict.ts'
export { type EnginePlace, EngineVerdicts } from './conflicts/engine-verdicts.ts'
export {
  type Agreement,
  type ConflictOptions,
  compareWithEngine,
  conflictsOfKey,
  conflictsOfPath,
  findConflicts,
  isEffective,
  winnerOf,
} from './conflicts/find-conflicts.ts'
export { type JudgeContext, judgeKey, type KeyToJudge } from './conflicts/judge-key.ts'
export { judgePath, type PathContext, type PathToJudge } from './conflicts/judge-path.ts'
export { MemoryIndex } from './conflicts/memory-index.ts'
export type { PlaysetIndex, PlaysetKey } from './conflicts/playset-index.ts'
export { POLICIES, type Policy, policyOf, type RuleConfidence } from './conflicts/policies.ts'
export type { DiagnosticsIndex, DiagnosticsReport, PlaysetDiagnostic } from './diagnostics/diagnostic.ts'
export { findDiagnostics } from './diagnostics/find-diagnostics.ts'
export { type ImpliedText, impliedTextsOf } from './diagnostics/implied-texts.ts'
export { analyzeGameLog, type GameLogAnalysis, type GameLogOptions, type LogGroup } from './engine/analyze-game-log.ts'
export { type GameLogEntry, type LogPlace, parseGameLog } from './engine/log-entries.ts'
export { extractFile, isLocalizationFile, isScriptFile, PARADOX_VERSION } from './extract/extract-file.ts'
export { extractLocalization } from './extract/extract-localization.ts'
export { extractScript } from './extract/extract-script.ts'
export { FOLDER_RULES, type FolderRule, folderRuleOf, gamePathOf } from './extract/folders.ts'
export { languageOfPath } from './localization/language-of-path.ts'
export { compareLoadOrder, type OrderRule } from './order/load-order.ts'
export { folderOf, judgeLayersAt, type PathVerdict } from './order/overlay.ts'
export type { Patch } from './patch/patch.ts'
export { PatchedIndex } from './patch/patched-index.ts'
export { type PatchOptions, proposePatch } from './patch/propose-patch.ts'
export { type Descriptor, parseDescriptor } from './playset/descriptor.ts'
export type { Layer, LeftMod, Playset } from './playset/layer.ts'
export { gameLayers, readMod } from './playset/mod-folders.ts'
export { PlaysetError } from './playset/playset-error.ts'
export { listPlaysets, type PlaysetOptions, readPlayset } from './playset/read-playset.ts'
export { type ParsedScript, parseScript } from './script/parse-script.ts'
export type { ScriptProblem } from './script/problem.ts'
export { printTree, ScriptTree } from './script/tree.ts'
