/** Reads the parameters of the socket's methods. What is wrong with them is `invalid_arguments`, by name. */
import { MAX_DURATION_MS } from '@switchboard/base'
import { createArgumentsError, describeWrongValue } from '@switchboard/config/arguments'
import { isInstanceId, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError, type SwitchboardErrorOptions } from '@switchboard/protocol/errors'
import { type AttachParams, IPC_VERSION } from '@switchboard/protocol/ipc'

/** Of what was sent, in a message about it. */
const MAX_QUOTED = 100

export function readText(params: JsonObject, name: string, method: string): string {
  const value = params[name]
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value
  throw createProblem(method, name, 'a text that is not empty', value)
}

export function readTexts(params: JsonObject, name: string, method: string): string[] {
  const value = params[name]
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
  if (isList && value.length > 0) return value
  throw createProblem(method, name, 'a list of texts, with at least one', value)
}

export function readChoice<const T extends string>(
  params: JsonObject,
  name: string,
  method: string,
  choices: readonly T[],
  fallback: T,
): T {
  const value = params[name]
  if (value === undefined) return fallback
  const found = choices.find((choice) => choice === value)
  if (found !== undefined) return found
  throw createProblem(method, name, `one of ${choices.join(', ')}`, value)
}

export function readOptionalText(params: JsonObject, name: string, method: string): string | undefined {
  return params[name] === undefined ? undefined : readText(params, name, method)
}

export function readObject(params: JsonObject, name: string, method: string): JsonObject {
  const value = params[name]
  if (isJsonObject(value)) return value
  throw createProblem(method, name, 'an object', value)
}

export function readMilliseconds(params: JsonObject, name: string, method: string): number | undefined {
  const value = params[name]
  if (value === undefined) return undefined
  if (typeof value === 'number' && value >= 0 && value <= MAX_DURATION_MS) return value
  throw createProblem(method, name, `milliseconds from 0 to ${MAX_DURATION_MS}`, value)
}

export function readFlag(params: JsonObject, name: string, method: string, fallback: boolean): boolean {
  const value = params[name]
  if (value === undefined) return fallback
  if (typeof value === 'boolean') return value
  throw createProblem(method, name, 'true or false', value)
}

/** The version is looked at first: of one that speaks another one, nothing else can be judged. */
export function readAttachParams(params: JsonObject): AttachParams {
  const { protocol, instance, pid } = params
  if (protocol !== IPC_VERSION) {
    throw new SwitchboardError(
      'invalid_request',
      `This daemon speaks version ${IPC_VERSION} of its protocol, the other side ${quote(protocol)}.`,
      {
        hint: 'Two versions of Switchboard are in use: run `switchboard restart`, and reload the window.',
        details: { daemon: IPC_VERSION, other: protocol },
      },
    )
  }
  if (!isInstanceId(instance)) {
    throw createProblem('attach', 'instance', 'an instance id such as tt79-6f854d', instance, {
      hint: 'An id is four of 0-9a-z, a dash, six hex digits; it is never guessed and never replaced.',
    })
  }
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) {
    throw createProblem('attach', 'pid', 'the id of a process', pid)
  }
  const workspace = readOptionalText(params, 'workspace', 'attach')
  const env = readEnvironment(params)
  const timeout = readMilliseconds(params, 'timeout', 'attach')
  if (timeout === 0) throw createProblem('attach', 'timeout', 'milliseconds above zero', timeout)
  const role = readChoice(params, 'role', 'attach', ['front', 'command'], 'front')
  const read = role === 'front' ? readText : readOptionalText
  const profile = read(params, 'profile', 'attach')
  return {
    protocol,
    role,
    instance,
    ...(profile === undefined ? {} : { profile }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(readFlag(params, 'project', 'attach', true) ? {} : { project: false }),
    ...(env === undefined ? {} : { env }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(params.tells_times === true ? { tells_times: true } : {}),
    pid,
    version: readText(params, 'version', 'attach'),
  }
}

/** What is wrong with it is told without what is in it. */
function readEnvironment({ env }: JsonObject): Readonly<Record<string, string>> | undefined {
  if (env === undefined) return undefined
  if (!isJsonObject(env)) throw createProblem('attach', 'env', 'names with texts', typeof env)
  const entries: [string, string][] = []
  for (const [name, value] of Object.entries(env)) {
    if (typeof value !== 'string') throw createProblem('attach', 'env', 'names with texts', typeof value)
    // No system could pass these on.
    if (name !== '' && !/[=\0]/.test(name.slice(1)) && !value.includes('\0')) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

/** In the words of the one describer. */
export function createProblem(
  method: string,
  name: string,
  expected: string,
  seen: unknown,
  options: SwitchboardErrorOptions = {},
): SwitchboardError {
  const { code, message, details } = createArgumentsError(method, [describeWrongValue(name, expected, seen)])
  return new SwitchboardError(code, message, { details: { method, ...details }, ...options })
}

function quote(value: unknown): string {
  return JSON.stringify(value)?.slice(0, MAX_QUOTED) ?? 'nothing'
}
