import { type Caller, CONNECTION_LANE } from '@switchboard/protocol'

/** Who is at the other end of a connection, as far as its transport can tell. Nothing here is taken from a message. */
export interface Identity {
  /** One activation of one window; only a front has one. */
  readonly instance?: string
  /** The credential that was shown, by its id and never by its secret. */
  readonly credential?: string
  /** Which view of the catalog: from the URL path, the credential or a flag. */
  readonly profile: string
  /** Sees everything in place of the profile: a person at a terminal. Never from a URL or a credential. */
  readonly isUnrestricted?: boolean
  /** Absolute path of the folder that the window is about; only a front may tell. */
  readonly workspace?: string
  /** Of the window; only a front or a command may tell. A function, so that it gets into no log or message. */
  readonly environment?: () => Readonly<Record<string, string>>
  /** Its front tells how long it had each request. */
  readonly isTimed?: boolean
  /** The connection it came by; tells callers apart only where it is a matter of taking turns. */
  readonly connection?: string
  /** Milliseconds; for its calls to servers that set no budget of their own. */
  readonly timeout?: number
  /** Milliseconds for each of its calls, in place of any other budget. */
  readonly budget?: number
  /** `stdio`, `http`, `sse`, `websocket`; by way of the daemon: `front` (an agent) or `command` (a person). */
  readonly transport: string
}

/** What limits, private servers and parked calls hang on: never an address. */
export function callerKey(identity: Identity, session?: string): string {
  return identity.instance ?? session ?? (identity.credential === undefined ? '' : `credential:${identity.credential}`)
}

/** Who calls, as providers see it. `session`: of the legacy era. */
export function createCaller(
  identity: Identity,
  hello: Pick<Caller, 'session' | 'era' | 'capabilities' | 'clientInfo'>,
): Caller {
  const { instance, isUnrestricted, profile, workspace, environment } = identity
  return {
    ...(instance === undefined ? {} : { instance }),
    ...(isUnrestricted === true ? {} : { profile }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(environment === undefined ? {} : { environment }),
    ...(hello.session === undefined ? { lane: laneKey(identity) } : {}),
    ...hello,
  }
}

/** Whose share and whose turn a call takes: the caller's, or, where nobody can be named, the connection's. */
function laneKey(identity: Identity): string {
  const key = callerKey(identity)
  return key === '' && identity.connection !== undefined ? `${CONNECTION_LANE}${identity.connection}` : key
}
