import type { McpPool } from '@switchboard/pool'
import type { LoggingLevel } from '@switchboard/protocol/mcp'
import { Gateway, type GatewayOptions } from '../../src/gateway.ts'
import { createHttpGateway } from '../../src/http/http-gateway.ts'
import { Router } from '../../src/router/router.ts'

export interface StartedGateway extends AsyncDisposable {
  /** Where it speaks Streamable HTTP, both eras. */
  readonly url: string
  readonly gateway: Gateway
}

/** The gateway over HTTP on a free port of 127.0.0.1, with the servers of a pool behind it. The pool stays the caller's. */
export async function startGateway(
  pool: McpPool,
  options: Partial<Omit<GatewayOptions, 'router'>> = {},
): Promise<StartedGateway> {
  const router = new Router({ providers: () => pool.providers(), onDidChangeProviders: () => ({ dispose() {} }) })
  const gateway = new Gateway({
    serverInfo: { name: 'switchboard', version: '0.1.0' },
    onLogLevel: (level) => setLogLevel(pool, level),
    onCallerGone: (caller) => void pool.release(caller),
    ...options,
    router,
  })
  const http = createHttpGateway({ gateway, port: 0 })
  const { url } = await http.listen()
  const stop = async (): Promise<void> => {
    await http.close()
    gateway.close()
    router.dispose()
  }
  return { url: `${url}/mcp`, gateway, [Symbol.asyncDispose]: stop }
}

/** As the composition root does it: legacy servers keep one level for all. */
function setLogLevel(pool: McpPool, level: LoggingLevel): void {
  for (const { name, state, era, eras = [era] } of pool.status()) {
    if (state === 'ready' && eras.includes('legacy')) void pool.request(name, 'logging/setLevel', { level })
  }
}
