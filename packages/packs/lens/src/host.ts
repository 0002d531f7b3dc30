/** What every tool of this pack is given besides its parameters. */
import type { Clock } from '@switchboard/base'
import type { PackHost, PackServices, ToolContext } from '@switchboard/toolkit'
import type { Config } from './config.ts'
import type { LensIndex } from './lens-index.ts'
import type { Workspaces } from './workspaces.ts'

export interface Host extends PackHost {
  readonly clock: Clock
  readonly config: Config
  readonly services: PackServices
  readonly index: LensIndex
  readonly workspaces: Workspaces
}

export type Context = ToolContext<Host>
