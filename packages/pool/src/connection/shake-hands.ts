/**
 * Finds out which era a server speaks, on the connection that is there: no second process is spawned for it.
 * `server/discover` is asked first; a modern answer settles it, an error of any code means legacy, and `initialize`
 * follows on the same line. Silence for the probe time means legacy for now: an answer that comes later is handed to the
 * owner, who corrects the verdict. What was learned is remembered by the owner, so a server that keeps silent costs its
 * probe time once in its life. Where the configuration names an era, nothing is asked but that one.
 */
import { within } from '@switchboard/base'
import {
  type Era,
  isModernVersion,
  type JsonObject,
  LATEST_LEGACY_VERSION,
  LATEST_MODERN_VERSION,
  MODERN_VERSIONS,
} from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createInitializeParams, readInitializeResult } from '@switchboard/protocol/legacy'
import type { ClientCapabilities, Implementation } from '@switchboard/protocol/mcp'
import {
  createDiscoverParams,
  createRequestEnvelope,
  isDiscoverResult,
  isModernError,
  readServerInfo,
  readSupportedVersions,
} from '@switchboard/protocol/modern'
import type { Connection } from './connection.ts'

export interface HandshakeOptions {
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
  /** Of the whole handshake. */
  readonly timeout: number
  /** How long silence is taken for a slow answer and not for a legacy server. */
  readonly probeTimeout: number
  /** As configured. */
  readonly era: Era | 'auto'
  /** What was learned at an earlier start of the same program. */
  readonly knownEra: Era | undefined
}

export interface HandshakeResult {
  readonly era: Era
  readonly version: string
  readonly serverInfo: Implementation | undefined
  readonly capabilities: JsonObject
  readonly instructions: string
  /** Legacy by silence: what an answer to the probe says that comes after all; undefined: it is not modern. */
  readonly late?: Promise<HandshakeResult | undefined>
}

export async function shakeHands(connection: Connection, options: HandshakeOptions): Promise<HandshakeResult> {
  const { era, knownEra, timeout, probeTimeout } = options
  if (era !== 'auto') return speakOnly(era, connection, options)
  const discovery = knownEra === 'legacy' ? undefined : discover(connection, options)
  // One that was modern gets time, but not all of it: it may have become a legacy server that keeps silent.
  const patience = knownEra === 'modern' ? Math.max(probeTimeout, timeout / 2) : probeTimeout
  const probed = discovery === undefined ? undefined : await within(discovery, patience)
  if (probed?.modern) return settle(connection, probed.result)
  try {
    const result = await initialize(connection, options)
    if (discovery === undefined || probed !== undefined) return result
    return { ...result, late: discovery.then((answer) => (answer.modern ? answer.result : undefined)) }
  } catch (error) {
    if (!isAnswerOfServer(error)) throw error
    // A modern-only server refuses to initialize: a slow one answers the question of the probe late, and one that was
    // legacy when it was last seen has not been asked yet.
    const late = await within(discovery ?? discover(connection, options), probeTimeout)
    if (late?.modern) return settle(connection, late.result)
    throw error
  }
}

/**
 * For a server that answered the probe when it had been taken for a legacy one. Undefined: since `initialize` this process
 * speaks nothing else, and only a new one will be modern.
 */
export async function changeToModern(
  connection: Connection,
  options: HandshakeOptions,
): Promise<HandshakeResult | undefined> {
  const again = await within(discover(connection, options), options.probeTimeout)
  return again?.modern ? settle(connection, again.result) : undefined
}

async function speakOnly(era: Era, connection: Connection, options: HandshakeOptions): Promise<HandshakeResult> {
  if (era === 'modern') {
    const answer = await discover(connection, options)
    if (answer.modern) return settle(connection, answer.result)
    throw createWrongEraError(era, answer.error)
  }
  try {
    return await initialize(connection, options)
  } catch (error) {
    throw createWrongEraError(era, error)
  }
}

/** Only an answer of the server says something of its era; what else went wrong is passed on as it is. */
function createWrongEraError(era: Era, error: unknown): unknown {
  if (error !== undefined && !isAnswerOfServer(error)) return error
  const why = error instanceof Error ? `: ${error.message}` : ''
  const message = `It does not speak the ${era} era, which its "era" asks for${why}`
  const details = error instanceof SwitchboardError ? error.details : {}
  return new SwitchboardError('bad_response', message, { details: { ...details, wrongEra: era }, cause: error })
}

type Discovery =
  | { readonly modern: true; readonly result: HandshakeResult }
  /** `error`: what was answered instead, or went wrong. */
  | { readonly modern: false; readonly error?: unknown }

async function discover(
  connection: Connection,
  options: HandshakeOptions,
  version: string = LATEST_MODERN_VERSION,
): Promise<Discovery> {
  const { clientInfo, capabilities, timeout } = options
  const params = createDiscoverParams(createRequestEnvelope({ version, capabilities, clientInfo }))
  try {
    const result = await connection.probeRequest('modern', version, 'server/discover', params, timeout)
    if (!isDiscoverResult(result)) return { modern: false }
    const agreed = MODERN_VERSIONS.find((known) => result.supportedVersions.includes(known))
    // A dual server may list legacy revisions only; then its answer says nothing for us.
    if (agreed === undefined) return { modern: false }
    return {
      modern: true,
      result: {
        era: 'modern',
        version: agreed,
        serverInfo: readServerInfo(result),
        capabilities: result.capabilities,
        instructions: result.instructions ?? '',
      },
    }
  } catch (error) {
    const rpc = error instanceof SwitchboardError ? error.details.rpc : undefined
    if (!isModernError(rpc)) return { modern: false, error }
    const other = readSupportedVersions(rpc).find((offered) => offered !== version && isModernVersion(offered))
    return other === undefined ? { modern: false, error } : discover(connection, options, other)
  }
}

async function initialize(connection: Connection, options: HandshakeOptions): Promise<HandshakeResult> {
  const { clientInfo, capabilities, timeout } = options
  const params = createInitializeParams({ version: LATEST_LEGACY_VERSION, capabilities, clientInfo })
  const answer = await connection.probeRequest('legacy', LATEST_LEGACY_VERSION, 'initialize', params, timeout)
  const reading = readInitializeResult(answer)
  if (!reading.ok) throw new SwitchboardError('bad_response', `The answer to initialize is unusable: ${reading.reason}`)
  const { protocolVersion, serverInfo, capabilities: offered, instructions } = reading.result
  const result: HandshakeResult = {
    era: 'legacy',
    version: protocolVersion,
    serverInfo,
    capabilities: offered,
    instructions: instructions ?? '',
  }
  settle(connection, result)
  connection.notify('notifications/initialized')
  return result
}

function settle(connection: Connection, result: HandshakeResult): HandshakeResult {
  connection.setProtocol(result.era, result.version)
  return result
}

function isAnswerOfServer(error: unknown): boolean {
  return error instanceof SwitchboardError && (error.code === 'upstream_error' || error.code === 'bad_response')
}
