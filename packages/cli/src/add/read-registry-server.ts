/**
 * A server as the public registry describes it, `server.json`: packages (npm, pypi, oci, nuget) with their arguments and variables, and
 * remotes. Keys in the older spelling (`registry_type`) are understood too. What is required and not given becomes a reference
 * to a variable where it is one, and is asked for by its name where it is an argument. Its fields are foreign: none is trusted to be of its type.
 */
import type { ServerInput } from '@switchboard/pool'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { PastedServer } from './read-snippet.ts'
import { fillInput, type RegistryInput, readInputs } from './registry-input.ts'
import type { RegistryWay } from './registry-ways.ts'
import { suggestName } from './suggest-name.ts'

export interface RegistryChoice {
  /** Where there are several. Default: the first that can be run here. */
  readonly way: RegistryWay | undefined
  /** Given with --input, by their names. */
  readonly inputs: ReadonlyMap<string, string>
}

export function isRegistryServer(value: JsonObject): boolean {
  return typeof value.name === 'string' && (Array.isArray(value.packages) || Array.isArray(value.remotes))
}

export function readRegistryServer(source: JsonObject, choice: RegistryChoice): PastedServer {
  const server = toCamel(source)
  const ways = [...listPackages(server.packages), ...listRemotes(server.remotes)]
  const wanted = ways.find(({ way }) => choice.way === undefined || way === choice.way)
  const fullName = String(server.name)
  if (wanted === undefined) throw createWayError(fullName, ways, choice.way, server)
  const missing = new Set<string>()
  const fill = (input: RegistryInput): string | undefined => fillInput(input, choice.inputs, missing)
  const { input, notes } = wanted.way === 'remote' ? createRemote(wanted.source, fill) : createPackage(wanted, fill)
  if (missing.size > 0) throw createMissingError(fullName, [...missing])
  const others = ways.filter(({ way }) => way !== wanted.way).map(({ way }) => way)
  return {
    name: suggestName(fullName.split('/').at(-1) ?? fullName),
    input,
    notes: [
      ...notes,
      ...(others.length === 0 || choice.way !== undefined
        ? []
        : [`it was taken from ${wanted.way}; --way ${[...new Set(others)].join('|')} takes another one`]),
    ],
  }
}

interface Way {
  readonly way: RegistryWay
  readonly source: JsonObject
}

interface Made {
  readonly input: ServerInput
  readonly notes: readonly string[]
}

type Fill = (input: RegistryInput) => string | undefined

function listPackages(packages: unknown): Way[] {
  return listObjects(packages).flatMap((source): Way[] => {
    const type = String(source.registryType ?? source.registryName ?? '').toLowerCase()
    const way = type === 'docker' ? 'oci' : type
    const transport = isJsonObject(source.transport) ? String(source.transport.type) : 'stdio'
    const isKnown = way === 'npm' || way === 'pypi' || way === 'oci' || way === 'nuget'
    return isKnown && transport === 'stdio' && typeof identifierOf(source) === 'string' ? [{ way, source }] : []
  })
}

function listRemotes(remotes: unknown): Way[] {
  return listObjects(remotes).flatMap((source): Way[] =>
    typeof source.url === 'string' ? [{ way: 'remote', source }] : [],
  )
}

function createRemote(source: JsonObject, fill: Fill): Made {
  const url = fill({
    name: 'url',
    value: String(source.url),
    variables: readVariables(source.variables),
    isRequired: true,
  })
  const headers = readNamed(source.headers, fill)
  const type = String(source.type ?? source.transportType) === 'sse' ? 'sse' : 'http'
  const input: ServerInput = {
    type,
    url: url ?? '',
    ...(headers.values.length === 0 ? {} : { headers: Object.fromEntries(headers.values) }),
  }
  return { input, notes: headers.notes }
}

function createPackage({ way, source }: Way, fill: Fill): Made {
  const version = typeof source.version === 'string' && source.version !== 'latest' ? source.version : undefined
  const identifier = identifierOf(source) ?? ''
  const runtime = readArguments(source.runtimeArguments, fill)
  const own = readArguments(source.packageArguments, fill)
  const { values, notes } = readNamed(source.environmentVariables, fill)
  const env = values.length === 0 ? {} : { env: Object.fromEntries(values) }
  const named = (separator: string): string =>
    version === undefined || identifier.includes('@', 1) ? identifier : `${identifier}${separator}${version}`
  switch (way) {
    case 'npm': {
      const yes = runtime.some((word) => word === '-y' || word === '--yes') ? [] : ['-y']
      return { input: { command: 'npx', args: [...yes, ...runtime, named('@'), ...own], ...env }, notes }
    }
    case 'pypi':
      return { input: { command: 'uvx', args: [...runtime, named('@'), ...own], ...env }, notes }
    case 'nuget':
      return {
        input: {
          command: 'dnx',
          args: [...runtime, named('@'), '--yes', ...(own.length === 0 ? [] : ['--', ...own])],
          ...env,
        },
        notes,
      }
    default: {
      const passed = values.flatMap(([name]) => ['-e', name])
      const start = ['run', '-i', '--rm'].filter((word) => !runtime.includes(word))
      const isTagged = /[:@]/.test(identifier.split('/').at(-1) ?? '')
      const image = version === undefined || isTagged ? identifier : `${identifier}:${version}`
      return { input: { command: 'docker', args: [...start, ...passed, ...runtime, image, ...own], ...env }, notes }
    }
  }
}

function identifierOf(source: JsonObject): string | undefined {
  const identifier = source.identifier ?? source.name
  // What begins with a dash would be an option of the program that fetches it.
  return typeof identifier === 'string' && /^[\w@]/.test(identifier) ? identifier : undefined
}

function readArguments(list: unknown, fill: Fill): string[] {
  return readInputs(list).flatMap((input) => {
    const value = fill(input)
    if (input.type !== 'named') return value === undefined ? [] : [value]
    if (value !== undefined && value !== '') return [input.name, value]
    return input.isFlag === true ? [input.name] : []
  })
}

/** Variables and headers; one that is required and not given is a reference to a variable of that name. */
function readNamed(list: unknown, fill: Fill): { values: [string, string][]; notes: string[] } {
  const values: [string, string][] = []
  const notes: string[] = []
  for (const input of readInputs(list)) {
    const variable = input.name.toUpperCase().replace(/\W/g, '_')
    const given = fill({ ...input, isRequired: false })
    if (given !== undefined) values.push([input.name, given])
    else if (input.isRequired === true) {
      values.push([input.name, `\${${variable}}`])
      const about = input.description === undefined ? '' : ` (${input.description})`
      notes.push(
        `\${${variable}} is still to be set where Switchboard is started, or given with --input ${input.name}=…${about}`,
      )
    }
  }
  return { values, notes }
}

function readVariables(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** `registry_type` as `registryType`, all the way down. */
function toCamel<T>(value: T): T {
  if (Array.isArray(value)) return value.map(toCamel) as T
  if (!isJsonObject(value)) return value
  const rename = (key: string): string => key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), toCamel(item)])) as T
}

function createMissingError(name: string, missing: readonly string[]): SwitchboardError {
  return new SwitchboardError('invalid_arguments', `${name} needs ${missing.join(', ')}.`, {
    hint: `Give each: ${missing.map((input) => `--input ${input}=…`).join(' ')}`,
  })
}

function createWayError(
  name: string,
  ways: readonly Way[],
  wanted: string | undefined,
  server: JsonObject,
): SwitchboardError {
  const types = listObjects(server.packages).map((source) => String(source.registryType ?? source.registryName))
  const there = ways.map(({ way }) => way)
  const problem =
    wanted === undefined
      ? `${name} has no package that can be run here${types.length === 0 ? '' : ` (it has ${types.join(', ')})`}, and no remote.`
      : `${name} is not there by ${wanted}.`
  return new SwitchboardError('invalid_arguments', problem, {
    hint:
      there.length === 0
        ? 'Look into its own instructions, and give the command behind a "--".'
        : `It is there by ${there.join(', ')}.`,
  })
}
