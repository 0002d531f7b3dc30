/** Who attaches: the version of the protocol, the instance, and what is known of its window. */
import {
  createParamError,
  readChoice,
  readFlag,
  readMilliseconds,
  readOptionalText,
  readText,
} from '@switchboard/config/arguments'
import { isInstanceId, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type AttachParams, IPC_VERSION } from '@switchboard/protocol/ipc'

/** Of what was sent, in a message about it. */
const MAX_QUOTED = 100

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
    throw createParamError('attach', 'instance', 'an instance id such as tt79-6f854d', instance, {
      hint: 'An id is four of 0-9a-z, a dash, six hex digits; it is never guessed and never replaced.',
    })
  }
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) {
    throw createParamError('attach', 'pid', 'the id of a process', pid)
  }
  const workspace = readOptionalText(params, 'workspace', 'attach')
  const env = readEnvironment(params)
  const timeout = readMilliseconds(params, 'timeout', 'attach')
  if (timeout === 0) throw createParamError('attach', 'timeout', 'milliseconds above zero', timeout)
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
  if (!isJsonObject(env)) throw createParamError('attach', 'env', 'names with texts', typeof env)
  const entries: [string, string][] = []
  for (const [name, value] of Object.entries(env)) {
    if (typeof value !== 'string') throw createParamError('attach', 'env', 'names with texts', typeof value)
    // No system could pass these on.
    if (name !== '' && !/[=\0]/.test(name.slice(1)) && !value.includes('\0')) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

function quote(value: unknown): string {
  return JSON.stringify(value)?.slice(0, MAX_QUOTED) ?? 'nothing'
}
