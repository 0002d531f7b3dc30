export { type BuiltinContent, BuiltinProvider, listOwnTools } from './builtin/builtin-provider.ts'
export { createOwnContent, type OwnContentOptions } from './builtin/own-content.ts'
export {
  type ConfigurationChange,
  compareConfigurations,
  isEmptyChange,
  throwOnVanishedFile,
} from './configuration/configuration-change.ts'
export { ConfigurationWatch, type ConfigurationWatchOptions } from './configuration/configuration-watch.ts'
export { type CloseOptions, Daemon, type DaemonOptions } from './daemon.ts'
export { findTool, listUnknownServers, type ToolFinder, wakeServer } from './find-tool.ts'
export type { HttpOverrides } from './http-entrance.ts'
export {
  type AttachedInstance,
  InstanceRegistry,
  type InstanceStatus,
} from './instances/instance-registry.ts'
export { DaemonLock, type DaemonLockOptions } from './lock/daemon-lock.ts'
export { type LockState, readLockState } from './lock/lock-state.ts'
export { ModeFiles, type ModeFilesOptions, type ModeRecord, type ModeSetter } from './modes/mode-file.ts'
export { createUnknownMode, type ModeChange, Modes } from './modes/modes.ts'
export { readInstructions } from './modes/read-instructions.ts'
export {
  type AppliedConfiguration,
  DAEMON_INSTANCE,
  type OpenOptions,
  type OpenSwitchboard,
  openSwitchboard,
} from './open-switchboard.ts'
export { listProfileCosts, type ProfileCost } from './profile-costs.ts'
export { createProfiles, throwOnHiddenTool } from './profiles.ts'
export { startDaemon } from './start-daemon.ts'
export { type ReconfigureOutcome, type StdioIdentity, Switchboard, type SwitchboardOptions } from './switchboard.ts'
export {
  type IdleAnswer,
  type QueueCounts,
  type RecentActivity,
  type Worker,
  type WorkItem,
  type WorkPriority,
  WorkQueue,
} from './work/work-queue.ts'
