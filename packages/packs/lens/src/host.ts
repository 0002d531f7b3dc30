/** What every tool of this pack is given besides its parameters. */
import type { Clock } from '@switchboard/base'
import type { Caller } from '@switchboard/protocol'
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
export function scopeOf({ host, call, workspace, signal }: Context): Promise<Scope> {
  return scopeFor(host, { caller: call.caller, workspace, signal })
}

export async function scopeFor(
  { services, config, workspaces, playsets }: Host,
  {
    caller,
    workspace,
    signal,
  }: { readonly caller: Caller; readonly workspace: string | undefined; readonly signal: AbortSignal },
): Promise<Scope> {
  const mode = services.modeOf(caller)
  if (mode === undefined || !config.playsetModes.includes(mode)) return workspaces.scopeOf(workspace, signal)
  return (await playsets.open(caller, workspace, signal)).judged.parts
}
