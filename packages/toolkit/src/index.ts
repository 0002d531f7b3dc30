export {
  createListedToolHelp,
  createToolHelp,
  type NeedHelp,
  type ParameterHelp,
  type ToolHelp,
} from './help/tool-help.ts'
export type { BuiltInCode } from './manifest/built-in-errors.ts'
export { REQUIREMENTS, type RequirementEntry, type RequirementName } from './manifest/requirements.ts'
export type {
  ErrorDeclaration,
  ExampleDeclaration,
  Guide,
  PackManifest,
  ParameterHint,
  ResultKind,
  Safety,
  ToolDeclaration,
} from './manifest/tool-declaration.ts'
export { toToolName } from './manifest/tool-name.ts'
export type { CodeIndex, IndexAnswer, IndexAsker, IndexedReference, IndexedSymbol } from './pack/code-index.ts'
export {
  definePack,
  type PackContext,
  type PackDefinition,
  type PackInstance,
  type PackStore,
  type PersonCall,
  type PersonCommand,
  type PersonProgress,
} from './pack/define-pack.ts'
export { createFailedPack } from './pack/failed-pack.ts'
export {
  type FileWork,
  type IdleAnswer,
  NEVER_RAN,
  type QueueCounts,
  type RecentActivity,
  type WorkItem,
  type WorkPriority,
} from './pack/file-work.ts'
export { type MetError, NO_SERVICES, type PackServices } from './pack/pack-services.ts'
export { createPack, type Pack, type PackOptions } from './run/create-pack.ts'
export { GUIDANCE_META_KEY } from './run/describe-tool.ts'
export type { Listing } from './run/pack-catalog.ts'
export type { PackExtras } from './run/pack-extras.ts'
export type { ResultStoreOptions } from './run/result-store.ts'
export type {
  PackHost,
  Refusal,
  RequirementCheck,
  ToolContext,
  ToolFunction,
  ToolFunctions,
  ToolOutcome,
} from './run/tool-context.ts'
export { countListTokens } from './token-count.ts'
export { ToolError } from './tool-error.ts'
export { WrongArguments } from './wrong-arguments.ts'
