/** One configuration of launch.json as what is to be started. What is own to a language is passed on as it is. */
import { resolve } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import type { Attach, Launch } from '../engine/debug-session.ts'
import { readObject } from '../json-values.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { expandLaunchVariables, type VariableScope } from './expand-variables.ts'
import { forPlatform, readText, splitArguments } from './json-file.ts'
import { dropKnownCommands, invalid, translateKeys } from './language-keys.ts'
import { readEnvFile } from './read-env-file.ts'

export interface ReadConfiguration {
  readonly name: string
  readonly type: string
  readonly how: Launch | Attach
}

/** Read here, or about the editor's own windows: nothing that an engine needs. */
const KNOWN = new Set([
  'name',
  'type',
  'request',
  'program',
  'args',
  'cwd',
  'env',
  'envFile',
  'stopOnEntry',
  'stopAtEntry',
  'presentation',
  'console',
  'internalConsoleOptions',
  'serverReadyAction',
  'debugServer',
  'port',
  'host',
  'hostname',
  'address',
  'processId',
  'pid',
  'connect',
])

/** Throws E_INVALID_LAUNCH or E_FILE_NOT_FOUND. */
export function readConfiguration(raw: JsonObject, scope: VariableScope, paths: WorkspacePaths): ReadConfiguration {
  const { preLaunchTask: _, postDebugTask: __, ...relevant } = forPlatform(raw)
  // Every text in it is still one.
  const expanded = expandLaunchVariables(dropKnownCommands(relevant), scope) as JsonObject
  const type = readText(expanded, 'type')
  if (type === undefined) throw invalid(expanded, 'has no "type"')
  const configuration = translateKeys(type, expanded)
  const request = configuration.request ?? 'launch'
  if (request !== 'launch' && request !== 'attach')
    throw invalid(configuration, `has the request "${String(request)}", which is neither launch nor attach`)
  const options = Object.fromEntries(Object.entries(configuration).filter(([key]) => !KNOWN.has(key)))
  const cwd = resolveIn(scope, readText(configuration, 'cwd')) ?? scope.folder
  const how =
    request === 'attach'
      ? readAttach(configuration, { cwd, options })
      : readLaunch(configuration, { cwd, options, scope, paths })
  return { name: readText(configuration, 'name') ?? 'launch', type, how }
}

function readLaunch(
  configuration: JsonObject,
  { cwd, options, scope, paths }: Pick<Launch, 'cwd' | 'options'> & { scope: VariableScope; paths: WorkspacePaths },
): Launch {
  const program = readText(configuration, 'program')
  const hasOther = ['module', 'runtimeExecutable', 'code'].some((key) => typeof options[key] === 'string')
  if (program === undefined && !hasOther) throw invalid(configuration, 'has no "program"')
  return {
    kind: 'launch',
    program: program === undefined ? '' : (resolveIn(scope, program) ?? ''),
    args: readArgs(configuration),
    cwd,
    env: { ...readEnvFiles(configuration.envFile, scope, paths), ...readEnv(configuration.env) },
    stopOnEntry: configuration.stopOnEntry === true || configuration.stopAtEntry === true,
    options,
  }
}

function readAttach(configuration: JsonObject, { cwd, options }: Pick<Attach, 'cwd' | 'options'>): Attach {
  const connect = readObject(configuration.connect)
  const port = readNumber(configuration.port) ?? readNumber(connect.port)
  const pid = readNumber(configuration.processId) ?? readNumber(configuration.pid)
  const host =
    ['host', 'hostname', 'address'].map((key) => readText(configuration, key)).find(Boolean) ??
    readText(connect, 'host')
  const hasSocket = ['socketPath', 'debugPort'].some((key) => typeof options[key] === 'string')
  if (port === undefined && pid === undefined && !hasSocket)
    throw invalid(configuration, 'attaches, and has neither a port nor a process id')
  return {
    kind: 'attach',
    cwd,
    options,
    ...(port === undefined ? {} : { port }),
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
  }
}

function resolveIn({ folder }: VariableScope, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(folder, path)
}

function readArgs(configuration: JsonObject): string[] {
  const { args } = configuration
  if (args === undefined || args === null) return []
  if (typeof args === 'string') return splitArguments(args)
  if (Array.isArray(args)) return args.map(String)
  throw invalid(configuration, `has args that are ${typeof args}, not a list`)
}

/** One, or for Go a list, of which the last one wins. */
function readEnvFiles(value: unknown, scope: VariableScope, paths: WorkspacePaths): Record<string, string> {
  const files = (Array.isArray(value) ? value : [value]).filter((file): file is string => typeof file === 'string')
  return Object.assign(
    {},
    ...files.map((file) => {
      const path = resolve(scope.folder, file)
      return file === '' ? {} : readEnvFile(path, { folder: scope.folder, shown: paths.show(path) })
    }),
  )
}

/** `null` means: not there. */
function readEnv(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readObject(value)).flatMap(([key, item]) => (item === null ? [] : [[key, String(item)]])),
  )
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined
}
