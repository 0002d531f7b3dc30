/** From a request to attach to an agent that is served: checked, entered in the registry, handed to the gateway. */
import type { Duplex } from 'node:stream'
import { DEFAULT_PROFILE, type Gateway, type Identity, serveStdio } from '@switchboard/gateway'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { AttachParams, AttachResult } from '@switchboard/protocol/ipc'
import type { Logger } from '@switchboard/telemetry'
import type { InstanceRegistry } from '../instances/instance-registry.ts'
import type { AttachLine } from './ipc-connection.ts'
import { readAttachParams } from './read-attach-params.ts'

export interface AttachHost {
  readonly gateway: Gateway
  readonly registry: InstanceRegistry
  readonly result: AttachResult
  readonly log: Logger
  /** Spans are made, and a front has a part in them. */
  wantsTimes(): boolean
  /** Names of tools, as agents have them. */
  repeatable(): readonly string[]
  isStopping(): boolean
}

/** How long a front may take to read what was said to it last. */
const LAST_WORDS_MS = 1_000

export async function attach(raw: JsonObject, line: AttachLine, host: AttachHost): Promise<void> {
  const { gateway, registry, result, log } = host
  const params = readAttachParams(raw)
  throwOnStopping(host)
  const { instance, profile, role, pid, version } = params
  const identity = createIdentity(params)
  if (profile !== undefined) throwOnUnknownProfile(gateway, profile)
  // What others are told of an instance is made of the rest.
  const { env: _, ...known } = params
  const isTaken = await registry.attach(known, () => {
    throwOnStopping(host)
    if (!line.isOpen) throw new SwitchboardError('cancelled', 'The connection was closed before it was attached')
    const repeatable = role === 'front' ? { repeatable: host.repeatable() } : {}
    const socket = line.accept({ ...result, ...repeatable, ...(host.wantsTimes() ? { wants_times: true } : {}) })
    const server = serveStdio({ gateway, identity, input: socket, output: socket })
    socket.once('close', () => server.close('the connection was closed'))
    socket.resume()
    return { server, end: () => endSoon(socket) }
  })
  if (!isTaken) line.drop()
  else log.child({ inst: instance }).info('ipc.attach', `${role} attached`, { instance, profile, pid, version })
}

/** What a command says of its call is said by a person: it holds for the call, whatever a server sets. */
function createIdentity(params: AttachParams): Identity {
  const { instance, profile, role, timeout, workspace, env, tells_times: isTimed } = params
  return {
    instance,
    profile: profile ?? DEFAULT_PROFILE.name,
    ...(profile === undefined ? { isUnrestricted: true } : {}),
    transport: role,
    ...(isTimed === true ? { isTimed } : {}),
    ...(timeout === undefined ? {} : { [role === 'command' ? 'budget' : 'timeout']: timeout }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(env === undefined ? {} : { environment: () => env }),
  }
}

function throwOnStopping({ isStopping }: AttachHost): void {
  if (isStopping()) throw new SwitchboardError('shutting_down', 'The daemon is stopping', { executed: false })
}

function throwOnUnknownProfile(gateway: Gateway, profile: string): void {
  try {
    gateway.router.view(profile)
  } catch (thrown) {
    if (!(thrown instanceof SwitchboardError) || thrown.code !== 'unknown_profile') throw thrown
    const known = gateway.router.profileNames
    throw new SwitchboardError('unknown_profile', `No profile is named "${profile}". There are: ${known.join(', ')}.`, {
      details: { profile, known },
    })
  }
}

/** Lines of this turn of the event loop are still on their way to the socket. */
function endSoon(socket: Duplex): void {
  setImmediate(() => socket.end())
  const impatience = setTimeout(() => socket.destroy(), LAST_WORDS_MS)
  socket.once('close', () => clearTimeout(impatience))
}
