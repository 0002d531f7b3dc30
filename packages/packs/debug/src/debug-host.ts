/** What the tools of the pack share. */
import { isAbsolute } from 'node:path'
import type { Call } from '@switchboard/protocol'
import {
  type PackHost,
  type PackServices,
  REQUIREMENTS,
  type Refusal,
  type RequirementName,
  type ToolContext,
  ToolError,
} from '@switchboard/toolkit'
import type { DebugDesk } from './desk/debug-desk.ts'
import type { DebugDesks } from './desk/debug-desks.ts'
import type { EngineTable } from './desk/engine-table.ts'
import type { ManagedSession } from './desk/managed-session.ts'
import type { TaskRunner } from './launch/task-runner.ts'
import type { OutputHost } from './output/select-capture.ts'
import type { Masking } from './snapshot/masking.ts'
import { refuseWithoutWindow } from './tool-steps/ask-window.ts'
import type { BackendName } from './window/choose-backend.ts'
import { WorkspacePaths } from './workspace/workspace-paths.ts'

export interface DebugHost extends PackHost, OutputHost {
  readonly desks: DebugDesks
  readonly engines: EngineTable
  readonly tasks: TaskRunner
  readonly masking: Masking
  readonly recall: PackServices['recall']
  readonly codeIndex: PackServices['codeIndex']
  /** Where an agent does not say which. */
  readonly backend: BackendName
}

export type DebugContext = ToolContext<DebugHost>

const NO_WORKSPACE_HINT =
  'Start the front in the folder of the project, or with --workspace <folder>; over HTTP, give debug_start an absolute `folder`.'

export function createRequirements(desks: DebugDesks): NonNullable<PackHost['requirements']> {
  const findSession = (call: Call, params: Readonly<Record<string, unknown>>): ManagedSession | Refusal => {
    try {
      return desks.of(call.caller).find(readText(params.sessionId))
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      const { code, message, details } = error
      return { code, message, details }
    }
  }
  const workspaceOf = ({ caller }: Call): string | undefined => caller.workspace ?? desks.find(caller)?.workspace
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
    'language-server': (call) => refuseWithoutWindow(call, workspaceOf(call), 'language-server'),
    vscode: (call) => refuseWithoutWindow(call, workspaceOf(call), 'vscode'),
  }
}

export function deskOf({ host, call }: DebugContext): DebugDesk {
  return host.desks.of(call.caller)
}

/** For tools that require a workspace. */
export function pathsOf({ workspace }: DebugContext): WorkspacePaths {
  if (workspace === undefined) throw new ToolError(REQUIREMENTS.workspace.code, REQUIREMENTS.workspace.message)
  return new WorkspacePaths(workspace)
}

function refuse(name: RequirementName): Refusal {
  const { code, message } = REQUIREMENTS[name]
  return { code, message }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
