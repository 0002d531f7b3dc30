import type { DaemonReport, InstanceReport } from '../../src/backend/daemon-report.ts'
import { VERSION } from '../../src/program/program-version.ts'

/** Of all times in the reports. */
export const NOW = Date.parse('2026-01-31T08:05:09.000Z')

export function createReport(changes: Partial<DaemonReport['daemon']> = {}): DaemonReport {
  return {
    daemon: {
      pid: 4700,
      version: VERSION,
      epoch: 3,
      started_at: '2026-01-31T08:02:00.000Z',
      state: 'running',
      home: '/home/ada/.switchboard',
      config_file: '/home/ada/.switchboard/config.json',
      endpoint: '/home/ada/.switchboard/run/daemon.sock',
      http: { url: 'http://127.0.0.1:19877', auth: 'user' },
      tcp: null,
      connections: { file_limit: 1_024, http: { most: 384, refused: 0 }, socket: { most: 384, refused: 0 } },
      bugs: 0,
      ...changes,
    },
    configuration: { state: 'ok' },
    instances: [],
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
    profiles: [],
    modes: [],
  }
}

export function createInstance(changes: Partial<InstanceReport> = {}): InstanceReport {
  return {
    instance: 'tt79-6f854d',
    role: 'front',
    pid: 4712,
    client: { name: 'claude-code', version: '2.1.0' },
    version: VERSION,
    profile: 'default',
    attached_at: '2026-01-31T08:03:00.000Z',
    in_flight: 1,
    calls: 12,
    ...changes,
  }
}
