/** What a daemon tells, made up: for what is drawn of it. */
import type { DaemonStatus } from '@switchboard/daemon/client'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { LinkState } from '../../src/daemon/daemon-link.ts'

type Server = DaemonStatus['servers'][number]

export const INSTANCE = 'tt79-6f854d'

export function createServer(changes: Partial<Server> = {}): Server {
  return {
    name: 'files',
    state: 'ready',
    stale: false,
    shared: true,
    restarts: 0,
    attempt: 0,
    inFlight: 0,
    queued: 0,
    calls: 0,
    failures: 0,
    tools: 3,
    resources: 0,
    prompts: 0,
    serialised: false,
    lastStderr: [],
    ...changes,
  }
}

export function connected(changes: Partial<DaemonStatus> = {}, version = '0.1.0'): LinkState {
  return {
    kind: 'connected',
    status: {
      daemon: {
        pid: 4711,
        version,
        epoch: 1,
        started_at: '2026-01-31T08:00:00.000Z',
        state: 'running',
        home: '/home/ada/.switchboard',
        config_file: '/home/ada/.switchboard/config.json',
        endpoint: '/home/ada/.switchboard/run/daemon.sock',
        http: null,
        tcp: null,
        connections: { file_limit: 1_024, http: { most: 384, refused: 0 }, socket: { most: 384, refused: 0 } },
        bugs: 0,
      },
      configuration: { state: 'ok' },
      servers: [],
      instances: [],
      profiles: [],
      modes: [],
      queue: { pending: 0, running: 0, failed: 0 },
      recent_activity: {
        state: 'never_ran',
        run_id: null,
        started_at: null,
        items: 0,
        errors: 0,
        first_item_at: null,
        last_item_at: null,
        idle_since: null,
      },
      ...changes,
    },
  }
}

export const FAILED: LinkState = {
  kind: 'failed',
  error: new SwitchboardError('daemon_unavailable', 'The daemon ended at its start (code 78)', { hint: 'Look.' }),
}

export const MODES = [
  { name: 'review', description: 'Reads, changes nothing', approval: 'none' },
  { name: 'work', description: 'Changes files', approval: 'person' },
] as const
