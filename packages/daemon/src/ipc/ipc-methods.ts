/** What can be asked on the daemon's socket, besides `attach` and `subscribe`. None of it waits for long work. */
import { isAbsolute } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import type { IpcMethod } from '@switchboard/protocol/ipc'
import { createControlMethods, describeOwn } from '../control/control-methods.ts'
import type { SwitchboardControl } from '../control/switchboard-control.ts'
import type { WorkItem, WorkPriority, WorkQueue } from '../work/work-queue.ts'
import type { Method, MethodContext } from './ipc-connection.ts'
import type { DaemonHealth, DaemonStatus } from './ipc-results.ts'
import {
  createProblem,
  readChoice,
  readFlag,
  readMilliseconds,
  readOptionalText,
  readText,
  readTexts,
} from './read-params.ts'

export interface MethodHost {
  readonly control: SwitchboardControl
  readonly queue: WorkQueue
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
  const { queue } = host
  const methods: Readonly<Record<OwnMethod, Method>> = {
    ...createControlMethods(host.control),
    health: () => host.health(),
    status: async () => ({ ...host.status(), ...(await describeOwn(host.control.switchboard)) }),
    dashboard_link: () => ({ url: host.dashboardLink() }),
    enqueue_files: (params, context) => {
      const method = 'enqueue_files'
      const priority = readChoice(params, 'priority', method, PRIORITIES, 'normal')
      const reason = readOptionalText(params, 'reason', method)
      const paths = readTexts(params, 'paths', method)
      return queue.enqueue(paths.map((path) => createItem('file', path, method, context, priority, reason)))
    },
    enqueue_scan: (params, context) => {
      const root = readText(params, 'root', 'enqueue_scan')
      return queue.enqueue([createItem('scan', root, 'enqueue_scan', context, 'normal')])
    },
    notify_file_changed: (params, context) => {
      const path = readText(params, 'path', 'notify_file_changed')
      return queue.enqueue([createItem('file', path, 'notify_file_changed', context, 'high', 'changed')])
    },
    await_idle: (params, { signal }) => {
      const wanted = readMilliseconds(params, 'timeout_ms', 'await_idle') ?? DEFAULT_IDLE_WAIT_MS
      return queue.awaitIdle(Math.min(wanted, MAX_IDLE_WAIT_MS), signal)
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

function createItem(
  kind: WorkItem['kind'],
  path: string,
  method: string,
  { traceId }: MethodContext,
  priority: WorkPriority,
  reason?: string,
): WorkItem {
  if (!isAbsolute(path)) {
    throw createProblem(method, 'paths', 'absolute paths', path, {
      hint: 'The daemon does not know your working directory: resolve the path first.',
    })
  }
  return {
    kind,
    path,
    priority,
    ...(reason === undefined ? {} : { reason }),
    ...(traceId === undefined ? {} : { traceId }),
  }
}
