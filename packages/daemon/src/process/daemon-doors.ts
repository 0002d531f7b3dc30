/**
 * The doors besides the daemon's own socket: HTTP for agents, TCP on demand for programs that can open no local socket. One
 * that cannot be opened is no reason to leave everybody without a daemon; that it is closed, and the cure, is told.
 */
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import type { DaemonConfig } from '../configuration/daemon-section.ts'
import type { HttpOverrides } from '../http/http-entrance.ts'
import type { ClosedDoor, DaemonStatus } from '../ipc/ipc-results.ts'
import type { IpcServer } from '../ipc/ipc-server.ts'
import { readOrCreateToken } from '../ipc/ipc-token.ts'
import type { Switchboard } from '../runtime/switchboard.ts'

export interface DoorsOptions {
  readonly switchboard: Switchboard
  readonly ipc: IpcServer
  readonly tcp: DaemonConfig['tcp']
  readonly tokenFile: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** In place of what configuration and environment say. */
  readonly http: HttpOverrides
  readonly log: Logger
}

export type Doors = Pick<DaemonStatus['daemon'], 'http' | 'tcp'>

export class DaemonDoors {
  readonly #options: DoorsOptions
  #closedHttp: ClosedDoor | undefined
  #tcp: Doors['tcp'] = null

  constructor(options: DoorsOptions) {
    this.#options = options
  }

  /** Never rejects. */
  async open(): Promise<void> {
    const { switchboard, ipc, tcp, tokenFile, env, http } = this.#options
    try {
      if (tcp !== undefined) this.#tcp = { port: await ipc.listenTcp(tcp.port, await readOrCreateToken(tokenFile)) }
    } catch (thrown) {
      this.#tcp = this.#close(thrown, 'TCP')
    }
    try {
      await switchboard.listen({ ...readHttpOverrides(env), ...http })
    } catch (thrown) {
      this.#closedHttp = this.#close(thrown, 'HTTP')
    }
  }

  /** HTTP follows the configuration by itself; why it could not is told here. */
  noteHttp(reason: SwitchboardError | undefined): void {
    this.#closedHttp = reason === undefined ? undefined : { error: reason.message, hint: reason.hint }
  }

  /** TCP does not: another port holds from the next start. */
  isOtherTcp(config: DaemonConfig): boolean {
    return config.tcp?.port !== this.#options.tcp?.port
  }

  status(): Doors {
    const { url, accessPolicy: auth } = this.#options.switchboard
    const isOpen = url !== undefined && auth !== undefined
    return { http: isOpen ? { url, auth } : (this.#closedHttp ?? null), tcp: this.#tcp }
  }

  #close(thrown: unknown, what: string): ClosedDoor {
    const { message, hint } = toSwitchboardError(thrown)
    this.#options.log.warn('daemon.listen', `no ${what}: ${message}. ${hint}`)
    return { error: message, hint }
  }
}

function readHttpOverrides({
  SWITCHBOARD_HTTP_HOST: host = '',
  SWITCHBOARD_HTTP_PORT: port = '',
}: DoorsOptions['env']): HttpOverrides {
  if (port !== '' && !(/^\d+$/.test(port) && Number(port) <= 65_535)) {
    throw new SwitchboardError('invalid_configuration', `SWITCHBOARD_HTTP_PORT is "${port}", which is no port`, {
      hint: 'Expected a whole number from 0 to 65535.',
    })
  }
  return { ...(host === '' ? {} : { host }), ...(port === '' ? {} : { port: Number(port) }) }
}
