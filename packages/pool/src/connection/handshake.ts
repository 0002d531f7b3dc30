/**
 * Finds out which era a server speaks, on the connection that is there: no second process is spawned for it.
 * `server/discover` is asked first; a modern answer settles it, anything else (an error of any code, silence for the
 * probe time) means legacy, and `initialize` follows on the same line. What was learned is remembered by the owner,
 * so a server that keeps silent costs its probe time once in its life.
 */
import {
  type ClientCapabilities,
  createDiscoverParams,
  createEnvelope,
  createInitializeParams,
  type Era,
  type Implementation,
  isDiscoverResult,
  isModernError,
  isModernVersion,
  type JsonObject,
  LATEST_LEGACY_VERSION,
  LATEST_MODERN_VERSION,
  MODERN_VERSIONS,
  readInitializeResult,
  readServerInfo,
  readSupportedVersions,
  SwitchboardError,
} from '@switchboard/protocol'
import type { Connection } from './connection.ts'

export interface HandshakeOptions {
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
  /** Of the whole handshake. */
  readonly timeout: number
  /** How long silence is taken for a slow answer and not for a legacy server. */
  readonly probeTimeout: number
  /** What was learned at an earlier start of the same program. */
  readonly knownEra: Era | undefined
}

export interface HandshakeResult {
  readonly era: Era
  readonly version: string
  readonly serverInfo: Implementation | undefined
  readonly capabilities: JsonObject
  readonly instructions: string
  /** Legacy on this connection, since it was too slow for the probe, but modern when it is given more time. */
  readonly alsoModern?: boolean
}

export async function shakeHands(connection: Connection, options: HandshakeOptions): Promise<HandshakeResult> {
  const { knownEra, timeout, probeTimeout } = options
  const discovery = knownEra === 'legacy' ? undefined : discover(connection, options)
  const probed =
    discovery === undefined ? undefined : await within(discovery, knownEra === 'modern' ? timeout : probeTimeout)
  if (probed?.modern) return settle(connection, probed.result)
  try {
    const result = await initialize(connection, options)
    // Answers keep the order of their questions: a server of both eras that was slow to start has answered the probe by now.
    const late = discovery === undefined ? undefined : await within(discovery, 0)
    return late?.modern ? { ...result, alsoModern: true } : result
  } catch (error) {
    if (!isAnswerOfServer(error)) throw error
    // A modern-only server refuses to initialize: a slow one answers the question of the probe late, and one that was
    // legacy when it was last seen has not been asked yet.
    const late = await within(discovery ?? discover(connection, options), probeTimeout)
    if (late?.modern) return settle(connection, late.result)
    throw error
  }
}

type Discovery = { readonly modern: true; readonly result: HandshakeResult } | { readonly modern: false }

async function discover(
  connection: Connection,
  options: HandshakeOptions,
  version: string = LATEST_MODERN_VERSION,
): Promise<Discovery> {
  const { clientInfo, capabilities, timeout } = options
  const params = createDiscoverParams(createEnvelope({ version, capabilities, clientInfo }))
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
    if (!isModernError(rpc)) return { modern: false }
    const other = readSupportedVersions(rpc).find((offered) => offered !== version && isModernVersion(offered))
    return other === undefined ? { modern: false } : discover(connection, options, other)
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

/** The promise's value, or undefined when it takes longer. Real time: this measures a server, not a schedule. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: elapsed, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([promise, elapsed])
  } finally {
    clearTimeout(timer)
  }
}

function isAnswerOfServer(error: unknown): boolean {
  return error instanceof SwitchboardError && (error.code === 'upstream_error' || error.code === 'bad_response')
}
