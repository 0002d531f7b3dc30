/** How the servers are, and who is connected, at the moment somebody asks. */
import type { Gateway, HttpGatewayStats } from '@switchboard/gateway'
import type { ServerStatus } from '@switchboard/pool'
import type { Metric } from '@switchboard/telemetry'

export function collectServerMetrics(
  servers: readonly ServerStatus[],
  gateway: Pick<Gateway, 'sessionCount' | 'listenCount' | 'parkedCount'>,
  http: HttpGatewayStats | undefined,
): Metric[] {
  const sum = (
    name: string,
    help: string,
    type: 'gauge' | 'counter',
    read: (status: ServerStatus) => number,
  ): Metric => {
    const byServer = new Map<string, number>()
    // A private server has a process, and a status, for every caller.
    for (const status of servers) byServer.set(status.name, (byServer.get(status.name) ?? 0) + read(status))
    return { name, help, type, samples: [...byServer].map(([server, value]) => ({ labels: { server }, value })) }
  }
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: [{ value }],
  })
  return [
    countStates(servers),
    sum('switchboard_server_restarts_total', 'Restarts of each server.', 'counter', ({ restarts }) => restarts),
    sum('switchboard_server_in_flight', 'Calls that each server has under way.', 'gauge', ({ inFlight }) => inFlight),
    sum('switchboard_server_queued', 'Calls that wait for a place at each server.', 'gauge', ({ queued }) => queued),
    gauge('switchboard_sessions', 'Open sessions of the legacy era, over all transports.', gateway.sessionCount),
    gauge('switchboard_listen_streams', 'Open listen streams of the modern era.', gateway.listenCount),
    gauge('switchboard_parked_calls', 'Calls that wait for the answers to their questions.', gateway.parkedCount),
    gauge('switchboard_http_in_flight', 'Requests over HTTP that have no answer yet.', http?.inFlight ?? 0),
  ]
}

function countStates(servers: readonly ServerStatus[]): Metric {
  const counts = new Map<string, { server: string; state: string; value: number }>()
  for (const { name: server, state } of servers) {
    const key = `${server}\0${state}`
    counts.set(key, { server, state, value: (counts.get(key)?.value ?? 0) + 1 })
  }
  return {
    name: 'switchboard_server_processes',
    help: 'Processes or connections of each server, by state.',
    type: 'gauge',
    samples: [...counts.values()].map(({ server, state, value }) => ({ labels: { server, state }, value })),
  }
}
