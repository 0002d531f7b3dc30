/** The views, in the order of the menu. One more is one more entry. */
import type { DashboardOverview } from '@switchboard/daemon/client'
import type { ComponentType } from 'preact'
import type { PageRoute } from '../link/route.ts'
import { CallsView } from './calls.tsx'
import { InstancesView } from './instances.tsx'
import { LensView } from './lens.tsx'
import { LogsView } from './logs.tsx'
import { MemoryView } from './memory.tsx'
import { ServersView } from './servers.tsx'
import { ToolsView } from './tools.tsx'

export interface ViewProps {
  readonly route: PageRoute
  readonly overview: DashboardOverview
}

export interface DashboardView {
  /** As it stands in the address. */
  readonly id: string
  readonly title: string
  readonly show: ComponentType<ViewProps>
  /** Absent: always there. */
  readonly isThere?: (overview: DashboardOverview) => boolean
}

export const VIEWS: readonly DashboardView[] = [
  { id: 'servers', title: 'Servers', show: ServersView },
  { id: 'instances', title: 'Windows', show: InstancesView },
  { id: 'calls', title: 'Calls', show: CallsView },
  { id: 'logs', title: 'Logs', show: LogsView },
  { id: 'tools', title: 'Tools', show: ToolsView },
  { id: 'memory', title: 'Memory', show: MemoryView, isThere: hasPack('memory') },
  { id: 'lens', title: 'Lens', show: LensView, isThere: hasPack('lens') },
]

function hasPack(name: string): (overview: DashboardOverview) => boolean {
  return ({ packs = [] }) => packs.some((pack) => pack.name === `pack:${name}`)
}
