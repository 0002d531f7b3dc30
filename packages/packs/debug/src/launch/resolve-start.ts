/** What `debug_start` is to start: a configuration of launch.json, a program, or something that runs already. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { ToolError, WrongArguments } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { EngineTable } from '../desk/engine-table.ts'
import type { StartRequest } from '../desk/start-request.ts'
import type { Attach, DebugEngine, ExceptionMode, Launch } from '../engine/debug-session.ts'
import { throughWindow } from '../window/choose-backend.ts'
import { completeConfiguration, RAW_CONFIGURATION } from '../window/window-configuration.ts'
import type { WindowAccess } from '../window/window-connection.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { findLaunchProgram } from './find-launch-program.ts'
import { forPlatform, readText } from './json-file.ts'
import { findLaunch } from './launch-file.ts'
import { LaunchWorkspace } from './launch-workspace.ts'
import { type FolderProgram, resolveFolder } from './program-folder.ts'
import { readConfiguration } from './read-configuration.ts'
import type { TaskRunner } from './task-runner.ts'

export interface StartParams {
  readonly launch?: string
  readonly folder?: string
  readonly program?: string
  readonly module?: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly language?: string
  readonly runtime?: string
  readonly runtimeArgs?: readonly string[]
  readonly attach?: {
    readonly port?: number
    readonly pid?: number
    readonly host?: string
    readonly editor?: boolean
  }
  readonly stopOnEntry: boolean
  readonly stdin?: string
  readonly libraries?: boolean
  readonly exceptions?: ExceptionMode
  readonly skipTask?: boolean
  readonly inputs?: Readonly<Record<string, string>>
}

export interface ResolveContext {
  readonly paths: WorkspacePaths
  readonly engines: EngineTable
  readonly tasks: TaskRunner
  /** Its debuggers are meant, in place of ours. */
  readonly window?: WindowAccess | undefined
  /** For `${env:NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What became of a task that nobody waits for. */
  log(message: string, error: unknown): void
}

export function createResolveContext(context: DebugContext, window?: WindowAccess): ResolveContext {
  const { engines, tasks } = context.host
  return {
    paths: pathsOf(context),
    engines,
    tasks,
    window,
    env: context.call.caller.environment?.() ?? process.env,
    log: (message, error) => context.log.warn('debug.task', `${message}: ${String(error)}`),
  }
}

export async function resolveStart(params: StartParams, context: ResolveContext): Promise<StartRequest[]> {
  const { launch, program, module, attach } = params
  if (launch !== undefined) return resolveNamed(params, launch, context)
  if (attach?.editor === true) return [await resolveEditor(params, context)]
  if (attach !== undefined) return [await resolveAttach(params, attach, context)]
  if (program !== undefined || module !== undefined) return [await resolveProgram(params, context)]
  throw new WrongArguments([{ field: '', problem: 'need one of launch, program, module and attach' }])
}

async function resolveProgram(params: StartParams, { paths, engines, window }: ResolveContext): Promise<StartRequest> {
  const { program, module } = params
  const given = program === undefined ? '' : resolveProgramPath(program, paths)
  const found: FolderProgram =
    given === '' || params.language !== undefined ? { program: given } : resolveFolder(given, paths)
  const path = found.program
  const language = params.language ?? found.language ?? (module === undefined ? undefined : 'python')
  const engine = await engines.pick({ language, program: path })
  const how: Launch = {
    kind: 'launch',
    program: path,
    args: params.args ?? [],
    cwd: params.cwd === undefined ? paths.root : paths.resolve(params.cwd),
    env: params.env ?? {},
    stopOnEntry: params.stopOnEntry,
    ...stdinOf(params),
    options: {
      ...(module === undefined ? {} : { module }),
      // Each language has its own word for it.
      ...(params.runtime === undefined ? {} : { runtimeExecutable: params.runtime, python: params.runtime }),
      ...(params.runtimeArgs === undefined ? {} : { runtimeArgs: params.runtimeArgs }),
      ...(language === undefined ? {} : { language }),
      ...librariesOf(params),
    },
  }
  return { name: module ?? basename(path), engine: await through(engine, window), how, exceptions: params.exceptions }
}

async function through(engine: DebugEngine, window: WindowAccess | undefined): Promise<DebugEngine> {
  return window === undefined ? engine : throughWindow(engine, window)
}

/** What the person debugs already. */
async function resolveEditor(params: StartParams, { paths, engines, window }: ResolveContext): Promise<StartRequest> {
  if (window === undefined) throw new WrongArguments([{ field: 'attach.editor', problem: 'needs the backend vscode' }])
  const base = params.language === undefined ? undefined : await engines.pick({ language: params.language })
  const engine = await throughWindow(base, window, { kind: 'join' })
  const how: Attach = { kind: 'attach', cwd: paths.root, options: {} }
  return { name: "the person's session", engine, how, exceptions: 'none' }
}

async function resolveAttach(
  params: StartParams,
  { port, pid, host }: NonNullable<StartParams['attach']>,
  { paths, engines, window }: ResolveContext,
): Promise<StartRequest> {
  const { language } = params
  throwOnStdin(params)
  if (port === undefined && pid === undefined)
    throw new WrongArguments([{ field: 'attach', problem: 'needs port or pid' }])
  if (language === undefined)
    throw new WrongArguments([{ field: 'attach', problem: 'needs language: nothing else tells it' }])
  const engine = await through(await engines.pick({ language }), window)
  const how: Attach = {
    kind: 'attach',
    cwd: params.cwd === undefined ? paths.root : paths.resolve(params.cwd),
    options: { language, ...librariesOf(params) },
    ...(port === undefined ? {} : { port }),
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
  }
  return {
    name: `${language} ${pid === undefined ? `port ${port}` : `process ${pid}`}`,
    engine,
    how,
    exceptions: params.exceptions,
  }
}

async function resolveNamed(params: StartParams, name: string, context: ResolveContext): Promise<StartRequest[]> {
  const { paths, engines, tasks, window } = context
  const workspace = new LaunchWorkspace(params, context)
  const launch = findLaunch(workspace.sources, name, (folder) => workspace.findFolder(folder))
  const group = launch.stopAll ? { group: {} } : {}
  const requests: StartRequest[] = []
  for (const [index, { source, raw }] of launch.members.entries()) {
    const type = readText(raw, 'type')
    if (window !== undefined) {
      requests.push({ ...(await resolveInWindow(raw, type, params, context, window)), ...group })
      continue
    }
    // Of a type that nobody knows, nothing else can be judged.
    const known = type === undefined ? undefined : await engines.pick({ launchType: type })
    const read = readConfiguration(raw, workspace.scopeOf(source), paths)
    // A task may make the program first.
    const findHow = (): Launch | Attach => addOwn(findLaunchProgram(read, paths), params, paths)
    const engine = known ?? (await engines.pick({ launchType: read.type }))
    const shared = index === 0 && launch.preLaunchTask !== undefined ? [launch.preLaunchTask] : []
    const own = forPlatform(raw)
    const before = [...shared, { task: own.preLaunchTask, source }]
    const after = [{ task: own.postDebugTask, source }]
    const planned = params.skipTask === true ? {} : workspace.planTasks(before, after, { runner: tasks, findHow })
    requests.push({
      name: read.name,
      engine,
      how: planned.before === undefined ? findHow() : read.how,
      exceptions: params.exceptions,
      ...group,
      ...planned,
    })
  }
  return requests
}

/** VS Code reads its variables and runs its tasks; its debuggers may be of types that nobody here knows. */
async function resolveInWindow(
  raw: JsonObject,
  type: string | undefined,
  params: StartParams,
  { engines, paths }: ResolveContext,
  window: WindowAccess,
): Promise<StartRequest> {
  throwOnStdin(params)
  const base = (await engines.list()).find(({ launchTypes }) => type !== undefined && launchTypes.includes(type))
  const configuration = completeConfiguration(raw, params)
  const name = readText(raw, 'name') ?? 'launch'
  const common = { cwd: paths.root, options: { [RAW_CONFIGURATION]: configuration } }
  const how: Launch | Attach =
    raw.request === 'attach'
      ? { kind: 'attach', ...common }
      : { kind: 'launch', program: '', args: [], env: {}, stopOnEntry: configuration.stopOnEntry === true, ...common }
  return { name, engine: await throughWindow(base, window), how, exceptions: params.exceptions }
}

/** What a call says beside the name of a configuration comes on top of it. */
function addOwn(how: Launch | Attach, params: StartParams, paths: WorkspacePaths): Launch | Attach {
  const cwd = params.cwd === undefined ? how.cwd : paths.resolve(params.cwd)
  const options = { ...how.options, ...librariesOf(params) }
  if (how.kind === 'attach') {
    throwOnStdin(params)
    return { ...how, cwd, options }
  }
  return {
    ...how,
    cwd,
    options,
    args: params.args ?? how.args,
    env: { ...how.env, ...params.env },
    stopOnEntry: how.stopOnEntry || params.stopOnEntry,
    ...stdinOf(params),
  }
}

function stdinOf({ stdin }: StartParams): { stdin?: string } {
  return stdin === undefined ? {} : { stdin }
}

function throwOnStdin({ stdin }: StartParams): void {
  if (stdin === undefined) return
  throw new WrongArguments([
    { field: 'stdin', problem: 'is for a program that is started, not for one that runs already' },
  ])
}

/** For each engine in its own way; where nothing says that code is a library's, all of it is stepped through. */
function librariesOf({ libraries }: StartParams): { libraries?: true } {
  return libraries === true ? { libraries } : {}
}

function resolveProgramPath(program: string, paths: WorkspacePaths): string {
  const path = paths.resolve(program)
  throwOnMissing(path, paths)
  return path
}

function throwOnMissing(path: string, paths: WorkspacePaths): void {
  if (existsSync(path)) return
  throw new ToolError('E_FILE_NOT_FOUND', `The program ${paths.show(path)} is not there`)
}
