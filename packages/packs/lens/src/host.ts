/** What every tool of this pack is given besides its parameters. */
import type { Clock } from '@switchboard/base'
import type { PackHost, PackServices, ToolContext } from '@switchboard/toolkit'
import type { Config } from './config.ts'
import type { LensIndex } from './lens-index.ts'
import type { Playsets } from './playset/playsets.ts'
import type { Scope } from './scope.ts'
import type { Workspaces } from './workspaces.ts'

export interface Host extends PackHost {
  readonly clock: Clock
  readonly config: Config
  readonly services: PackServices
  readonly index: LensIndex
  readonly workspaces: Workspaces
  readonly playsets: Playsets
}

export type Context = ToolContext<Host>

/** What the caller may see: its folder; in a mode that is about a playset, the layers of that. Throws a ToolError. */
export async function scopeOf({ host, call, workspace, signal }: Context): Promise<Scope> {
  const mode = host.services.modeOf(call.caller)
  if (mode === undefined || !host.config.playsetModes.includes(mode)) return host.workspaces.scopeOf(workspace, signal)
  return (await host.playsets.open(call.caller, workspace, signal)).judged.parts
}
