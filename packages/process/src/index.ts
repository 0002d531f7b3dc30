export { type Clock, systemClock, type Timer } from './clock.ts'
export { OrphanGuard } from './orphan-guard.ts'
export { createOwnerMark, findOrphans, isStillOrphan, type Orphan, OWNER_VARIABLE } from './owned-processes.ts'
export { FAMILY_VARIABLE, ProcessFamily } from './process-family.ts'
export { listProcesses, type ProcessEntry, selectDescendants } from './process-table.ts'
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
