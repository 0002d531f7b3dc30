/** The logins at the servers of one pool: one for each server, whatever number of connections it has. */
import type { Logger } from '@switchboard/telemetry'
import type { RemoteServerConfig, ServerConfig } from '../config/server-config.ts'
import type { BeginLogin, LoginKeeper } from './login-keeper.ts'
import { UpstreamLogin } from './upstream-login.ts'

export interface LoginsOptions {
  readonly keeper: LoginKeeper
  /** Absent: no agent is offered one. */
  readonly begin?: BeginLogin | undefined
  /** As a person reads it on the page of an authorization server. */
  readonly clientName: string
  readonly log: Logger
}

interface Entry {
  readonly config: RemoteServerConfig
  readonly login: UpstreamLogin
}

export class Logins {
  readonly begin: BeginLogin | undefined
  readonly #options: LoginsOptions
  readonly #entries = new Map<string, Entry>()

  constructor(options: LoginsOptions) {
    this.#options = options
    this.begin = options.begin
  }

  /** Undefined: there is nothing to log in to, or its entry brings its own credentials. */
  of(config: ServerConfig): UpstreamLogin | undefined {
    if (!mayLogIn(config)) return undefined
    const known = this.#entries.get(config.name)
    if (known !== undefined && isSameLogin(known.config, config)) return known.login
    const { keeper, clientName, log } = this.#options
    known?.login.close()
    const { name: server, url, oauth } = config
    const login = new UpstreamLogin({ server, url, settings: oauth, keeper, clientName, log })
    this.#entries.set(server, { config, login })
    return login
  }

  close(): void {
    for (const { login } of this.#entries.values()) login.close()
  }
}

export function mayLogIn(config: ServerConfig): config is RemoteServerConfig {
  if (config.type !== 'http' && config.type !== 'sse') return false
  const hasOwn = Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization')
  return config.oauth.enabled && !hasOwn
}

function isSameLogin(a: RemoteServerConfig, b: RemoteServerConfig): boolean {
  return a.url === b.url && JSON.stringify(a.oauth) === JSON.stringify(b.oauth)
}
