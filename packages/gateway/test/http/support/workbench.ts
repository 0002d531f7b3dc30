/** Gateways on a free port with fake or real servers behind them; all of it is gone after each test. */
import { McpPool } from '@switchboard/pool'
import type { Provider } from '@switchboard/protocol'
import type { LoggingLevel } from '@switchboard/protocol/mcp'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import type { FixtureScript } from '@switchboard/testkit'
import { useBench } from '@switchboard/testkit/suite'
import { Gateway } from '../../../src/gateway.ts'
import { createHttpGateway, type HttpGateway } from '../../../src/http/http-gateway.ts'
import type { HttpGatewayOptions } from '../../../src/http/http-settings.ts'
import type { Profile } from '../../../src/router/profile.ts'
import { Router } from '../../../src/router/router.ts'

export interface OpenGateway {
  /** Without a path. */
  readonly url: string
  readonly port: number
  readonly http: HttpGateway
  readonly gateway: Gateway
  readonly log: MemoryLogger
}

export type OpenOptions = Partial<Omit<HttpGatewayOptions, 'gateway'>> & { readonly profiles?: readonly Profile[] }

export interface Workbench {
  open(providers: readonly Provider[], options?: OpenOptions): Promise<OpenGateway>
  /** A pool of fixture servers, each with a journal of its name. */
  pool(servers: Record<string, FixtureScript>): Promise<McpPool>
  openPool(pool: McpPool, options?: OpenOptions): Promise<OpenGateway>
  journal(server: string): string
  /** Undone after the test, last first. */
  defer(cleanup: () => unknown): void
}

/** Call it at the top of a suite. */
export function useWorkbench(): Workbench {
  const bench = useBench({ name: 'gateway-http' })

  const openGateway = async (
    providers: () => readonly Provider[],
    { profiles = [], ...options }: OpenOptions,
    onLogLevel?: (level: LoggingLevel) => void,
  ): Promise<OpenGateway> => {
    const router = new Router({ providers, onDidChangeProviders: () => ({ dispose: () => {} }) }, profiles)
    const log = createMemoryLogger()
    const gateway = new Gateway({
      router,
      serverInfo: { name: 'switchboard', version: '0.1.0' },
      log,
      ...(onLogLevel === undefined ? {} : { onLogLevel }),
    })
    const http = createHttpGateway({ port: 0, log, ...options, gateway })
    const { url, port } = await http.listen()
    bench.defer(async () => {
      await http.close()
      gateway.close()
      router.dispose()
    })
    return { url, port, http, gateway, log }
  }

  return {
    open: (providers, options = {}) => openGateway(() => providers, options),
    async pool(servers) {
      const entries = Object.entries(servers).map(([name, script]) => [
        name,
        { ...bench.fixture(name, script), interactive: true },
      ])
      const pool = new McpPool({ mcpServers: Object.fromEntries(entries) })
      bench.defer(() => pool.close({ force: true }))
      pool.start()
      await pool.ready()
      return pool
    },
    openPool: (pool, options = {}) =>
      openGateway(
        () => pool.providers(),
        options,
        (level) => {
          for (const { name, era } of pool.status()) {
            if (era === 'legacy') void pool.request(name, 'logging/setLevel', { level })
          }
        },
      ),
    journal: bench.journal,
    defer: bench.defer,
  }
}
