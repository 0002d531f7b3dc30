export { type AtomicWriteOptions, replaceFile, writeFileAtomically } from './atomic-file.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export type { Disposable } from './disposable.ts'
export {
  DURATION_PATTERN,
  type DurationForms,
  isTimeUnit,
  MAX_DURATION_MS,
  MAX_DURATION_TEXT,
  parseDuration,
  type TimeUnit,
  UNIT_MS,
} from './duration.ts'
export { boundedDistance } from './edit-distance.ts'
export { errorCode } from './error-code.ts'
export { errorMessage } from './error-message.ts'
export { FairQueue, type PlaceInLine, type Shares, type WaitOptions } from './fair-queue.ts'
export { countFreeHandles, readFileLimit } from './file-handles.ts'
export { findProgram } from './find-program.ts'
export { ForeignDraft, type ForeignDraftOptions } from './foreign-draft.ts'
export {
  type ForeignFile,
  ForeignFileError,
  type ForeignFileLimits,
  type ForeignFileProblem,
  readForeignBytes,
  readForeignText,
  readPart,
  withForeignFile,
} from './foreign-file.ts'
export { listHidden, showHidden } from './hidden-text.ts'
export { isProcessAlive } from './is-process-alive.ts'
export { type DiffLine, type DiffOptions, diffLines } from './line-diff.ts'
export { Listeners } from './listeners.ts'
export { machineTime } from './machine-time.ts'
export { didYouMean, nearestName, nearestNames } from './nearest-name.ts'
export { isPathInside } from './path-inside.ts'
export {
  NEVER_ABORTED,
  type PendingRequest,
  PendingRequests,
  type PendingRequestsOptions,
  type RequestLimits,
} from './pending-requests.ts'
export { ensurePrivateFolder } from './private-folder.ts'
export type { RequestKey } from './request-table.ts'
export { holdsNamesOnly, judgeName, looksLikePath, type NameVerdict } from './sensitive-name.ts'
export { Slices } from './slices.ts'
export { within } from './within.ts'
