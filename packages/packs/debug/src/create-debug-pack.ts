/** The debug pack as a provider. What it starts ends with the agent that started it, and all of it with the pack. */
import { type Clock, systemClock } from '@switchboard/base'
import type { Logger } from '@switchboard/telemetry'
import {
  createPack,
  NO_SERVICES,
  type PackInstance,
  type PackServices,
  ToolError,
  type ToolFunctions,
  WrongArguments,
} from '@switchboard/toolkit'
import { createRequirements, type DebugContext, type DebugHost } from './debug-host.ts'
import { DebugDesks } from './desk/debug-desks.ts'
import { type EngineLoader, EngineTable } from './desk/engine-table.ts'
import type { ManagedSession } from './desk/managed-session.ts'
import { manifest } from './generated/manifest.ts'
import { tools } from './generated/tools.ts'
import { TaskRunner } from './launch/task-runner.ts'
import { loadEngines } from './load-engines.ts'
import { OutputStore } from './output/output-store.ts'
import { NO_MASKING, SecretMasking, textsOf } from './snapshot/masking.ts'
import { showText } from './snapshot/show-value.ts'
import type { BackendName } from './window/choose-backend.ts'
import { WorkspacePaths } from './workspace/workspace-paths.ts'

export interface DebugPackOptions {
  readonly log: Logger
  /** Values that look like secrets are shown. Default: false. */
  readonly showSecrets?: boolean
  /** Of one agent, children of programs not counted. Default: 8. */
  readonly maxSessions?: number
  /** Milliseconds without a call after which a session is ended. Default: 30 minutes. */
  readonly idleTimeout?: number
  /** A private folder for what debuggers can use again. Default: none, they start slower. */
  readonly cacheFolder?: string
  /** Default: all that there are. */
  readonly loadEngines?: EngineLoader
  /** What debugs where an agent does not say it. Default: headless. */
  readonly backend?: BackendName
  /** What is known of an error that stops a program. Default: nobody knows anything. */
  readonly recall?: PackServices['recall']
  /** Who knows symbols where no editor does. Default: nobody. */
  readonly codeIndex?: PackServices['codeIndex']
  /** For tests: an author's mistake is thrown. */
  readonly strict?: boolean
  readonly clock?: Clock
}

/** Every agent gets it at its start, whether it debugs or not. */
const INSTRUCTIONS = `Debug in place of adding prints. debug_start runs a program to a breakpoint or an exception, test_debug_single one \
test; they answer with the source, values and stack where it stands. Go on with debug_step_over, debug_continue and debug_evaluate, and \
end with debug_stop. debug_probe reads values at lines while a program runs, debug_trace_function the calls of a function, both in one call.`

const DEFAULT_MAX_SESSIONS = 8
const DEFAULT_IDLE_MS = 30 * 60_000

export function createDebugPack(options: DebugPackOptions): PackInstance {
  const { log } = options
  const masking = options.showSecrets === true ? NO_MASKING : new SecretMasking()
  masking.learnEnvironment(process.env)
  const desks = new DebugDesks({
    clock: options.clock ?? systemClock,
    maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
    idleTimeout: options.idleTimeout ?? DEFAULT_IDLE_MS,
    log: (message, data) => log.info('debug.session', message, data === undefined ? {} : { data: String(data) }),
  })
  const output = new OutputStore()
  desks.onEvent((desk, { id, session, paths }, event) =>
    output.record(desk.owner, { id, session, show: (text) => showText(text, { paths, masking }) }, event),
  )
  desks.onReleased((owner) => output.release(owner))
  const engines = new EngineTable(options.loadEngines ?? loadEngines, options.cacheFolder)
  const tasks = new TaskRunner({ guard: engines.guard, masking })
  const host: DebugHost = {
    requirements: createRequirements(desks),
    workspace: ({ caller }) => caller.workspace ?? desks.find(caller)?.workspace,
    desks,
    engines,
    tasks,
    output,
    masking,
    recall: options.recall ?? NO_SERVICES.recall,
    codeIndex: options.codeIndex ?? NO_SERVICES.codeIndex,
    backend: options.backend ?? 'headless',
  }
  const provider = createPack<DebugHost>({
    name: 'debug',
    manifest,
    tools: withShownErrors(tools),
    host,
    log,
    listing: { instructions: INSTRUCTIONS },
    // The list of tools is read by every agent, whether it debugs or not.
    outputSchemas: false,
    details: () => ({ sessions: desks.liveCount }),
    ...(options.strict === undefined ? {} : { strict: options.strict }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  })
  return {
    provider,
    release: (owner) => {
      provider.release(owner)
      desks.release(owner).catch((error: unknown) => log.warn('debug.release', `sessions were left: ${String(error)}`))
    },
    standing: (caller) => desks.find(caller)?.live.map(describeStanding) ?? [],
    close: async () => {
      await desks.close()
      await tasks.close()
      await engines.close()
    },
  }
}

/** For whoever goes on later: a program that stood here. */
function describeStanding({ id, name, state, currentStop }: ManagedSession): string {
  return `debug session ${id} of ${name} ${state}${currentStop === undefined ? '' : ` (${currentStop.reason})`}`
}

/**
 * What engines say of a failure is shown like everything else. A session that ends in the middle of a call is one that is
 * not there: agents read one code for both.
 */
function withShownErrors(functions: ToolFunctions<DebugHost>): ToolFunctions<DebugHost> {
  return Object.fromEntries(
    Object.entries(functions).map(([alias, run]): [string, ToolFunctions<DebugHost>[string]] => [
      alias,
      async (params, context) => {
        try {
          return await run(params, context)
        } catch (error) {
          throw error instanceof ToolError ? showError(error, context, params) : error
        }
      },
    ]),
  )
}

function showError(error: ToolError, { host: { masking }, workspace }: DebugContext, params: unknown): ToolError {
  const paths = workspace === undefined ? undefined : new WorkspacePaths(workspace)
  const said = textsOf(params)
  const show = (text: string): string => {
    const shown = showText(text, { paths, masking, said })
    return paths === undefined ? shown : shown.replaceAll(paths.root, '.')
  }
  const { hint, details } = error
  const hinted = hint === undefined ? {} : { hint }
  if (error instanceof WrongArguments) {
    const fields = error.fields.map((field) => ({ ...field, problem: show(field.problem) }))
    return new WrongArguments(fields, hinted)
  }
  const code = error.code === 'E_SESSION_TERMINATED' ? 'E_NO_SESSION' : error.code
  return new ToolError(code, show(error.message), { ...hinted, details, cause: error })
}
