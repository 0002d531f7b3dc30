export { OrphanGuard } from './orphan-guard.ts'
export { endOrphans, findOrphans, type Orphan, waitForOrphans } from './owned-processes.ts'
export { ProcessFamily } from './process-family.ts'
export { OWNER_VARIABLE } from './process-marks.ts'
export type { ProcessEntry } from './process-table.ts'
export { type ResolvedCommand, type ResolveOptions, resolveCommand } from './resolve-command.ts'
export { createChildEnvironment } from './safe-environment.ts'
export { type ChildCommand, type PipedChild, type SpawnOutcome, spawnChild } from './spawn-child.ts'
export {
  RESTART_GRACES,
  STOP_GRACES,
  type StopGraces,
  type StoppableProcess,
  TreeStop,
} from './stop-process-tree.ts'
