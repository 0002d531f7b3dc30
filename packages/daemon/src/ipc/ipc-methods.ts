/** What can be asked on the daemon's socket, besides `attach` and `subscribe`. None of it waits for long work. */

import { isAbsolute } from 'node:path'
import {
  createParamError,
  readChoice,
  readFlag,
  readMilliseconds,
  readOptionalText,
  readText,
  readTexts,
} from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import type { IpcMethod } from '@switchboard/protocol/ipc'
import type { FileWork, WorkItem, WorkPriority } from '@switchboard/toolkit'
import { createControlMethods, describeOwn } from '../control/control-methods.ts'
import type { SwitchboardControl } from '../control/switchboard-control.ts'
import type { Method } from './ipc-connection.ts'
import type { DaemonHealth, DaemonStatus } from './ipc-results.ts'

export interface MethodHost {
  readonly control: SwitchboardControl
  readonly queue: FileWork
  health(): DaemonHealth
  status(): DaemonStatus
  dashboardLink(): string
  /** Returns at once; the daemon stops after the answer has left. */
  stop(options: { drain?: number; force: boolean }): void
}

/** Answered before a client that waits for 30 s gives up. */
const MAX_IDLE_WAIT_MS = 20_000
const DEFAULT_IDLE_WAIT_MS = 10_000

const PRIORITIES: readonly WorkPriority[] = ['normal', 'high']

type OwnMethod = Exclude<IpcMethod, 'attach' | 'subscribe'>

export function createMethods(host: MethodHost): ReadonlyMap<string, Method> {
  const methods: Readonly<Record<OwnMethod, Method>> = {
    ...createControlMethods(host.control),
    health: () => host.health(),
    status: async () => ({ ...host.status(), ...(await describeOwn(host.control.switchboard)) }),
    dashboard_link: () => ({ url: host.dashboardLink() }),
    enqueue_files: (params) => {
      const method = 'enqueue_files'
      const priority = readChoice(params, 'priority', method, PRIORITIES, 'normal')
      readOptionalText(params, 'reason', method)
      const paths = readTexts(params, 'paths', method)
      return host.queue.enqueue(paths.map((path) => createItem('file', path, method, priority)))
    },
    enqueue_scan: (params) => {
      const root = readText(params, 'root', 'enqueue_scan')
      return host.queue.enqueue([createItem('scan', root, 'enqueue_scan', 'normal')])
    },
    notify_file_changed: (params) => {
      const path = readText(params, 'path', 'notify_file_changed')
      return host.queue.enqueue([createItem('file', path, 'notify_file_changed', 'high')])
    },
    await_idle: (params, { signal }) => {
      const wanted = readMilliseconds(params, 'timeout_ms', 'await_idle') ?? DEFAULT_IDLE_WAIT_MS
      return host.queue.awaitIdle(Math.min(wanted, MAX_IDLE_WAIT_MS), signal)
    },
    shutdown: (params) => shutDown(params, host),
  }
  return new Map(Object.entries(methods))
}

function shutDown(params: JsonObject, host: MethodHost): object {
  const graceful = readFlag(params, 'graceful', 'shutdown', true)
  const drain = readMilliseconds(params, 'drain_ms', 'shutdown')
  host.stop({ force: !graceful, ...(drain === undefined ? {} : { drain }) })
  return { acknowledged: true, graceful }
}

function createItem(kind: WorkItem['kind'], path: string, method: string, priority: WorkPriority): WorkItem {
  if (!isAbsolute(path)) {
    throw createParamError(method, 'paths', 'absolute paths', path, {
      hint: 'The daemon does not know your working directory: resolve the path first.',
    })
  }
  return { kind, path, priority }
}
