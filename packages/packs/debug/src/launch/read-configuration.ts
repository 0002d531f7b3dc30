/** One configuration of launch.json as what is to be started. What is own to a language is passed on as it is. */
import { resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { DebugError } from '../session/debug-error.ts'
import type { Attach, Launch } from '../session/debug-session.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { expandVariables, type VariableScope } from './expand-variables.ts'
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
  'preLaunchTask',
  'postDebugTask',
  'presentation',
  'console',
  'internalConsoleOptions',
  'serverReadyAction',
  'linux',
  'osx',
  'windows',
  'port',
  'host',
  'hostname',
  'address',
  'processId',
  'pid',
  'connect',
])

const PLATFORMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'osx', win32: 'windows' }

/** Throws E_INVALID_LAUNCH or E_FILE_NOT_FOUND. */
export function readConfiguration(raw: JsonObject, scope: VariableScope, paths: WorkspacePaths): ReadConfiguration {
  const own = raw[PLATFORMS[process.platform] ?? '']
  const merged = { ...raw, ...(isJsonObject(own) ? own : {}) }
  const { preLaunchTask: _, postDebugTask: __, linux: ___, osx: ____, windows: _____, ...relevant } = merged
  // Every text in it is still one.
  const configuration = expandVariables(relevant, scope) as JsonObject
  const name = readText(configuration, 'name') ?? 'launch'
  const type = readText(configuration, 'type')
  if (type === undefined) throw invalid(name, 'has no "type"')
  const options = Object.fromEntries(Object.entries(configuration).filter(([key]) => !KNOWN.has(key)))
  const cwd = resolveIn(scope, readText(configuration, 'cwd')) ?? scope.folder
  const how =
    configuration.request === 'attach'
      ? readAttach(name, configuration, { cwd, options })
      : readLaunch(name, configuration, { cwd, options, scope, paths })
  return { name, type, how }
}

function readLaunch(
  name: string,
  configuration: JsonObject,
  { cwd, options, scope, paths }: Pick<Launch, 'cwd' | 'options'> & { scope: VariableScope; paths: WorkspacePaths },
): Launch {
  const program = readText(configuration, 'program')
  const hasOther = ['module', 'runtimeExecutable', 'code'].some((key) => typeof options[key] === 'string')
  if (program === undefined && !hasOther) throw invalid(name, 'has no "program"')
  const envFile = readText(configuration, 'envFile')
  const file = resolveIn(scope, envFile)
  return {
    kind: 'launch',
    program: program === undefined ? '' : (resolveIn(scope, program) ?? ''),
    args: readArgs(name, configuration.args),
    cwd,
    env: { ...(file === undefined ? {} : readEnvFile(file, paths.show(file))), ...readEnv(configuration.env) },
    stopOnEntry: configuration.stopOnEntry === true || configuration.stopAtEntry === true,
    options,
  }
}

function readAttach(
  name: string,
  configuration: JsonObject,
  { cwd, options }: Pick<Attach, 'cwd' | 'options'>,
): Attach {
  const connect = isJsonObject(configuration.connect) ? configuration.connect : {}
  const port = readNumber(configuration.port) ?? readNumber(connect.port)
  const pid = readNumber(configuration.processId) ?? readNumber(configuration.pid)
  const host =
    ['host', 'hostname', 'address'].map((key) => readText(configuration, key)).find(Boolean) ??
    readText(connect, 'host')
  if (port === undefined && pid === undefined) throw invalid(name, 'attaches, and has neither a port nor a process id')
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

/** A text is split at blanks, quotes respected. */
function readArgs(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') {
    return [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, plain]) => double ?? single ?? plain ?? '',
    )
  }
  if (Array.isArray(value)) return value.map(String)
  throw invalid(name, `has args that are ${typeof value}, not a list`)
}

/** `null` means: not there. */
function readEnv(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, String(item)]])),
  )
}

function readText(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined
}

function invalid(name: string, problem: string): DebugError {
  return new DebugError('E_INVALID_LAUNCH', `The configuration "${name}" ${problem}`)
}
