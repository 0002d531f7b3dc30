/** The pool of servers, with what it needs of a person: their secrets, their logins, and what they accepted. */
import { McpPool } from '@switchboard/pool'
import { SecretStore } from '@switchboard/secrets'
import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import { LoginService } from '../logins/login-service.ts'
import { RESERVED_NAMES } from '../packs/packs.ts'
import { TrustRegistry } from '../trust/trust-registry.ts'
import type { SwitchboardOptions } from './switchboard-options.ts'

export interface Servers {
  readonly pool: McpPool
  readonly secrets: SecretStore
  readonly logins: LoginService
  readonly trust: TrustRegistry | undefined
}

/** `current`: the configuration that holds, with what projects add to it. */
export function openServers(options: SwitchboardOptions, current: () => SwitchboardConfig): Servers {
  const { config, serverInfo, log, openServerLog, cacheDirectory, serversDirectory, env, home } = options
  const secrets = new SecretStore({
    folder: options.secretsDirectory,
    keychain: config.daemon.keychain,
    ...(env === undefined ? {} : { env }),
  })
  const logins = new LoginService({
    login: (server) => pool.login(server),
    restart: (server) => pool.restartServer(server),
    log,
  })
  const trust =
    home === undefined
      ? undefined
      : new TrustRegistry({
          directory: home.trust,
          log,
          config: current,
          onChanged: (server) => pool.judgeAgain(server),
        })
  const pool: McpPool = new McpPool(config, {
    logins: secrets,
    beginLogin: (server, signal) => logins.join(server, signal),
    log,
    openServerLog,
    cacheDirectory,
    serversDirectory,
    clientInfo: serverInfo,
    reservedNames: RESERVED_NAMES,
    ...(trust === undefined ? {} : { judge: (server, read) => trust.judge(server, read) }),
    ...(env === undefined ? {} : { env }),
  })
  return { pool, secrets, logins, trust }
}
