/** What the daemon's `status` says about the daemon itself; its servers are told apart, as every backend tells them. */
import type { DaemonStatus } from '@switchboard/daemon/client'

export type DaemonReport = Omit<DaemonStatus, 'servers'>
export type HttpReport = DaemonReport['daemon']['http']
export type InstanceReport = DaemonReport['instances'][number]
export type QueueReport = DaemonReport['queue']
export type ActivityReport = DaemonReport['recent_activity']

/** What is wrong with the file as it is saved now; undefined: nothing. */
export function readRefusal({ configuration }: DaemonReport): string | undefined {
  return configuration.state === 'refused' ? configuration.error.message : undefined
}
