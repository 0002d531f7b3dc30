/** The daemon's report as commands print it with `--json`: camelCase, as all that we answer; its socket has names of its own. */
import type { ActivityReport, DaemonReport, InstanceReport } from '../backend/daemon-report.ts'

/** The store and the packs are told apart: they are there without a daemon too. */
export function toDaemonJson(report: DaemonReport): object {
  const { daemon, recent_activity: activity, instances, store: _store, packs: _packs, ...rest } = report
  const { started_at: startedAt, config_file: configFile, connections, ...own } = daemon
  return {
    ...rest,
    daemon: { ...own, startedAt, configFile, connections: toConnectionsJson(connections) },
    instances: instances.map(toInstanceJson),
    recentActivity: toActivityJson(activity),
  }
}

/** A daemon of an earlier version tells nothing of it. */
function toConnectionsJson(connections: DaemonReport['daemon']['connections'] | undefined): object | undefined {
  if (connections === undefined) return undefined
  const { file_limit: fileLimit, last_refused_at: lastRefusedAt, ...doors } = connections
  return { ...doors, fileLimit, lastRefusedAt }
}

function toInstanceJson({ attached_at: attachedAt, in_flight: inFlight, ...rest }: InstanceReport): object {
  return { ...rest, attachedAt, inFlight }
}

function toActivityJson(activity: ActivityReport): object {
  const { state, run_id: runId, started_at: startedAt, items, errors } = activity
  const { first_item_at: firstItemAt, last_item_at: lastItemAt, idle_since: idleSince } = activity
  return { state, runId, startedAt, items, errors, firstItemAt, lastItemAt, idleSince }
}
