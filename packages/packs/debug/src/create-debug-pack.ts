/** The debug pack as a provider. What it starts ends with the agent that started it, and all of it with the pack. */
import type { Clock } from '@switchboard/process'
import type { Logger } from '@switchboard/telemetry'
import { createPack, type Pack, systemClock, type ToolFunctions } from '@switchboard/toolkit'
import { DEBUG_PROVIDER } from './core-tools.ts'
import { createRequirements, type DebugContext, type DebugHost } from './debug-host.ts'
import { manifest } from './generated/manifest.ts'
import { tools } from './generated/tools.ts'
import { TaskRunner } from './launch/task-runner.ts'
import { loadEngines } from './load-engines.ts'
import { OutputStore } from './output/output-store.ts'
import { DebugError } from './session/debug-error.ts'
import { DebugDesks } from './sessions/debug-desks.ts'
import { type EngineLoader, EngineTable } from './sessions/engine-table.ts'
import { showText } from './snapshot/show-value.ts'
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
  /** For tests: an author's mistake is thrown. */
  readonly strict?: boolean
  readonly clock?: Clock
}

export interface DebugPack extends Pack {
  /** Ends every session. */
  close(): Promise<void>
}

const DEFAULT_MAX_SESSIONS = 8
const DEFAULT_IDLE_MS = 30 * 60_000

export function createDebugPack(options: DebugPackOptions): DebugPack {
  const { log, showSecrets = false } = options
  const desks = new DebugDesks({
    clock: options.clock ?? systemClock,
    maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
    idleTimeout: options.idleTimeout ?? DEFAULT_IDLE_MS,
    log: (message, data) => log.info('debug.session', message, data === undefined ? {} : { data: String(data) }),
  })
  const output = new OutputStore()
  desks.onEvent((desk, { id, session, paths }, event) =>
    output.record(desk.owner, { id, session, show: (text) => showText(text, { paths, showSecrets }) }, event),
  )
  desks.onReleased((owner) => output.release(owner))
  const engines = new EngineTable(options.loadEngines ?? loadEngines, options.cacheFolder)
  const tasks = new TaskRunner({ guard: engines.guard, showSecrets })
  const host: DebugHost = {
    requirements: createRequirements(desks),
    workspace: ({ caller }) => caller.workspace ?? desks.of(caller).workspace,
    desks,
    engines,
    tasks,
    output,
    showSecrets,
  }
  const pack = createPack<DebugHost>({
    name: 'debug',
    manifest,
    tools: withShownErrors(tools),
    host,
    log,
    // The list of tools is read by every agent, whether it debugs or not.
    outputSchemas: false,
    ...(options.strict === undefined ? {} : { strict: options.strict }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  })
  return {
    name: DEBUG_PROVIDER,
    naming: { prefix: false },
    catalog: () => pack.catalog(),
    onCatalogChange: (listener) => pack.onCatalogChange(listener),
    onResourceUpdated: (listener) => pack.onResourceUpdated(listener),
    request: (method, params, call) => pack.request(method, params, call),
    status: () => ({ ...pack.status(), name: DEBUG_PROVIDER, sessions: desks.liveCount }),
    release: (owner) => {
      pack.release(owner)
      desks.release(owner).catch((error: unknown) => log.warn('debug.release', `sessions were left: ${String(error)}`))
    },
    close: async () => {
      await desks.close()
      await tasks.close()
      await engines.close()
    },
  }
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
          throw error instanceof DebugError ? showError(error, context) : error
        }
      },
    ]),
  )
}

function showError(error: DebugError, { host: { showSecrets }, workspace }: DebugContext): DebugError {
  const paths = workspace === undefined ? undefined : new WorkspacePaths(workspace)
  const text = showText(error.message, { paths, showSecrets })
  const message = paths === undefined ? text : text.replaceAll(paths.root, '.')
  const code = error.code === 'E_SESSION_TERMINATED' ? 'E_NO_SESSION' : error.code
  return new DebugError(code, message, { details: error.details, cause: error })
}
