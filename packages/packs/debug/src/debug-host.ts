/** What the tools of the pack share. */
import { isAbsolute } from 'node:path'
import type { Call } from '@switchboard/protocol'
import { type PackHost, REQUIREMENTS, type Refusal, type RequirementName, type ToolContext } from '@switchboard/toolkit'
import type { TaskRunner } from './launch/task-runner.ts'
import type { OutputHost } from './output/select-capture.ts'
import { DebugError } from './session/debug-error.ts'
import type { DebugDesk } from './sessions/debug-desk.ts'
import type { DebugDesks } from './sessions/debug-desks.ts'
import type { EngineTable } from './sessions/engine-table.ts'
import type { ManagedSession } from './sessions/managed-session.ts'
import { WorkspacePaths } from './workspace/workspace-paths.ts'

export interface DebugHost extends PackHost, OutputHost {
  readonly desks: DebugDesks
  readonly engines: EngineTable
  readonly tasks: TaskRunner
  /** Values that look like secrets are shown. */
  readonly showSecrets: boolean
}

export type DebugContext = ToolContext<DebugHost>

const NO_WORKSPACE_HINT =
  'Start the front in the folder of the project, or with --workspace <folder>; over HTTP, give debug_start an absolute `folder`.'

export function createRequirements(desks: DebugDesks): NonNullable<PackHost['requirements']> {
  const findSession = (call: Call, params: Readonly<Record<string, unknown>>): ManagedSession | Refusal => {
    try {
      return desks.of(call.caller).find(readText(params.sessionId))
    } catch (error) {
      if (!(error instanceof DebugError)) throw error
      const { code, message, details } = error
      return { code, message, details }
    }
  }
  return {
    // Over HTTP nobody tells where an agent works: the folder that it names when it starts is its workspace from then on.
    workspace: (call, { folder }) => {
      const desk = desks.of(call.caller)
      if (call.caller.workspace !== undefined) return undefined
      if (typeof folder === 'string' && isAbsolute(folder)) desk.workspace = folder
      return desk.workspace === undefined ? { ...refuse('workspace'), hint: NO_WORKSPACE_HINT } : undefined
    },
    session: (call, params) => {
      const found = findSession(call, params)
      return 'code' in found ? found : undefined
    },
    paused: (call, params) => {
      const found = findSession(call, params)
      if ('code' in found) return found
      const { threadId } = params
      if (found.stopOf(typeof threadId === 'number' ? threadId : undefined) !== undefined) return undefined
      const what =
        typeof threadId === 'number' && found.state === 'stopped' ? `Thread ${threadId} of ${found.id}` : found.id
      return { code: REQUIREMENTS.paused.code, message: `${what} is running, not paused` }
    },
    'language-server': () => refuse('language-server'),
    vscode: () => refuse('vscode'),
  }
}

export function deskOf({ host, call }: DebugContext): DebugDesk {
  return host.desks.of(call.caller)
}

/** For tools that require a workspace. */
export function pathsOf({ workspace }: DebugContext): WorkspacePaths {
  if (workspace === undefined) throw new DebugError(REQUIREMENTS.workspace.code, REQUIREMENTS.workspace.message)
  return new WorkspacePaths(workspace)
}

function refuse(name: RequirementName): Refusal {
  const { code, message } = REQUIREMENTS[name]
  return { code, message }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
