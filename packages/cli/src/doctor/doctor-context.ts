import type { SwitchboardConfig } from '@switchboard/daemon/configuration'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { HomePaths } from '@switchboard/protocol/ipc'
import type { Machine } from '../clients/client-places.ts'
import type { Home } from '../context/home.ts'
import type { Finding } from './finding.ts'
import type { DaemonLook } from './look-at-daemon.ts'

/** What checks may look at. What several need is looked up once. */
export interface DoctorContext {
  readonly home: Home
  readonly paths: HomePaths
  readonly machine: Machine
  readonly cwd: string
  /** Of the command itself. */
  readonly version: string
  readonly nodeVersion: string
  readonly now: number
  daemon(): Promise<DaemonLook>
  /** Undefined: there is no file. */
  configuration(): Promise<SwitchboardConfig | SwitchboardError | undefined>
}

export interface Check {
  /** Shown in front of its findings, and in `--json`. */
  readonly name: string
  look(context: DoctorContext): Promise<readonly Finding[]>
}
