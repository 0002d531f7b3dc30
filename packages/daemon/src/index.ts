export type { IdleAnswer, QueueCounts, RecentActivity } from '@switchboard/toolkit'
export type { ConfigurationChange } from './configuration/configuration-change.ts'
export { findDoubts } from './configuration/find-doubts.ts'
export { type ControlMethod, createControlMethods } from './control/control-methods.ts'
export { openMemoryLine } from './control/open-memory-line.ts'
export { type ControlOptions, SwitchboardControl } from './control/switchboard-control.ts'
export type { HttpOverrides } from './http/http-entrance.ts'
export type {
  AttachedInstance,
  InstanceStatus,
} from './instances/instance-registry.ts'
export { DaemonLock, type DaemonLockOptions } from './lock/daemon-lock.ts'
export { type LockState, readLockState } from './lock/lock-state.ts'
export { ModeFiles, type ModeFilesOptions, type ModeRecord, type ModeSetter } from './modes/mode-file.ts'
export { createUnknownMode, type ModeChange } from './modes/modes.ts'
export { LISTED_PACKS } from './packs/packs.ts'
export { Daemon, type DaemonCloseOptions, type DaemonOptions } from './process/daemon.ts'
export { openDaemon } from './process/open-daemon.ts'
export { listProfileNames } from './profiles/list-profile-names.ts'
export type { ProfileCost } from './profiles/profile-costs.ts'
export { lookAtProject } from './projects/look-at-project.ts'
export {
  type AppliedConfiguration,
  type OpenOptions,
  type OpenSwitchboard,
  openSwitchboard,
} from './runtime/open-switchboard.ts'
export { Switchboard } from './runtime/switchboard.ts'
export type { ReconfigureOutcome, StdioIdentity, SwitchboardOptions } from './runtime/switchboard-options.ts'
export { checkStoreAt } from './store/check-store.ts'
