/** What a person does about the login at one server. */
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { ServerConfig } from '../config/server-config.ts'
import type { LoginAttempt } from './login-attempt.ts'
import type { LoginRecord } from './login-record.ts'
import { type Logins, mayLogIn } from './logins.ts'
import { loginFailed } from './oauth-http.ts'
import type { LoginOutcome } from './upstream-login.ts'

export interface RedirectPlace {
  readonly host: '127.0.0.1' | 'localhost'
  /** Undefined: any that is free. */
  readonly port: number | undefined
  /** No other port will do. */
  readonly isFixed: boolean
}

export interface ServerLogin {
  /** Where its redirect address should be, if that can be had. */
  findPlace(): Promise<RedirectPlace>
  /** Rejects with `login_failed`. */
  begin(redirectUri: string, signal?: AbortSignal): Promise<LoginAttempt>
  keep(record: LoginRecord): Promise<void>
  logOut(signal?: AbortSignal): Promise<LoginOutcome>
}

export function findLogin(config: ServerConfig, logins: Logins | undefined): ServerLogin {
  const login = logins?.of(config)
  if (login === undefined || !mayLogIn(config)) throw createNothingError(config, logins !== undefined)
  const { redirectHost: host = '127.0.0.1', redirectPort } = config.oauth
  return {
    async findPlace() {
      if (redirectPort !== undefined) return { host, port: redirectPort, isFixed: true }
      await login.load()
      return { host, port: login.formerPort, isFixed: false }
    },
    begin: (redirectUri, signal) =>
      login.begin(redirectUri, { headers: config.headers, ...(signal === undefined ? {} : { signal }) }),
    keep: (record) => login.keep(record),
    logOut: (signal) => login.logOut(signal),
  }
}

function createNothingError(config: ServerConfig, isPossible: boolean): SwitchboardError {
  const { name } = config
  if (!isPossible) return loginFailed('This pool keeps no logins')
  if (config.type === 'stdio') {
    const hint = 'What it needs to know goes into `env` of its entry.'
    return loginFailed(`The server ${name} is a program on this machine, which has no login`, { hint })
  }
  if (config.type === 'websocket') {
    const hint = 'Put an `Authorization` header into `headers` of its entry.'
    return loginFailed(`The server ${name} is reached by WebSocket, which knows no login`, { hint })
  }
  const isOff = !config.oauth.enabled
  const why = isOff
    ? 'has its logins switched off ("oauth.enabled": false)'
    : 'has an `Authorization` header in its entry'
  return loginFailed(`The server ${name} ${why}`, {
    hint: `${isOff ? 'Switch them on' : 'Remove that header'}, and log in again.`,
  })
}
