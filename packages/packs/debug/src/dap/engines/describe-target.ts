import type { Attach, Launch } from '../../engine/debug-session.ts'
import type { OpenedAdapter } from '../session-life.ts'

/** What is debugged: a program that is started for it, or a process that runs. */
export function describeTarget(request: Launch | Attach): Pick<OpenedAdapter, 'name' | 'command' | 'isLaunched'> {
  return {
    name: request.kind === 'launch' ? request.program : `process ${request.pid ?? request.port ?? ''}`,
    command: request.kind,
    isLaunched: request.kind === 'launch',
  }
}
