import { OrphanGuard, RESTART_GRACES, STOP_GRACES } from '@switchboard/process'
import type { Call, Caller, JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Tool } from '@switchboard/protocol/mcp'
import { createMemoryLogger } from '@switchboard/telemetry'
import { FakeClock } from '@switchboard/testkit'
import type { CatalogCache, Learned } from '../../src/cache/catalog-cache.ts'
import { checkPoolConfig } from '../../src/config/pool-config.ts'
import type { RemoteServerConfig, StdioServerConfig } from '../../src/config/server-config.ts'
import { SHARED_POLICY, type SupervisionPolicy } from '../../src/supervision/policy.ts'
import type { CallQueue } from '../../src/upstream/call-queue.ts'
import { type JudgeCatalog, judgeNothing } from '../../src/upstream/held-definitions.ts'
import { StartSlots } from '../../src/upstream/start-slots.ts'
import { Upstream } from '../../src/upstream/upstream.ts'
import type { Owner, UpstreamEnvironment } from '../../src/upstream/upstream-environment.ts'
import { FakeServer, type FakeServerScript } from './fake-server.ts'

/** Arguments are not checked unless a test is about that: the checker is loaded on first use, which takes real time. */
export function createConfig(overrides: Partial<StdioServerConfig> = {}): StdioServerConfig {
  const { name = 'fake' } = overrides
  const input = { mcpServers: { [name]: { command: 'fake', validate: false } } }
  const [server] = checkPoolConfig(input, { env: {} }).servers
  if (server?.type !== 'stdio') throw new Error('The server is not the one that was written')
  return { ...server, ...overrides }
}

/** None is asked for, so none of its settings matters. */
export const NO_LOGIN: RemoteServerConfig['oauth'] = {
  enabled: false,
  clientId: undefined,
  clientSecret: undefined,
  clientMetadataUrl: undefined,
  scopes: undefined,
  issuer: undefined,
  redirectPort: undefined,
  redirectHost: undefined,
}

export function createRemoteConfig(overrides: Partial<RemoteServerConfig> = {}): RemoteServerConfig {
  const { command: _command, args: _args, cwd: _cwd, env: _env, inheritEnv: _inherit, ...common } = createConfig()
  const remote = {
    type: 'http',
    typeIsExplicit: false,
    url: 'https://example.test/mcp',
    headers: {},
    oauth: NO_LOGIN,
  } as const
  return { ...common, ...remote, ...overrides }
}

export interface MemoryCache extends CatalogCache {
  learned: Learned
  saves: number
}

/** Remembers in memory what a real cache would have on disk. */
function createMemoryCache(learned: Learned = {}): MemoryCache {
  return {
    learned,
    saves: 0,
    load() {
      return this.learned
    },
    save(_config, news) {
      this.learned = news
      this.saves++
      return Promise.resolve()
    },
  }
}

export function createTool(name: string, more: Partial<Tool> = {}): Tool {
  return { name, inputSchema: { type: 'object' }, ...more }
}

export interface EnvironmentOptions {
  readonly clock?: FakeClock
  readonly learned?: Learned
  readonly eraProbeTimeout?: number
  readonly queues?: readonly CallQueue[]
  readonly startParallelism?: number
  readonly judge?: JudgeCatalog
}

export function createEnvironment(find: (name: string) => FakeServer, options: EnvironmentOptions = {}) {
  const clock = options.clock ?? new FakeClock()
  const log = createMemoryLogger()
  const cache = createMemoryCache(options.learned)
  const environment: UpstreamEnvironment = {
    clock,
    log,
    cache,
    guard: new OrphanGuard(),
    slots: new StartSlots(options.startParallelism ?? 8, clock),
    clientInfo: { name: 'test', version: '1' },
    capabilities: { sampling: {}, elicitation: {}, roots: {} },
    timings: {
      // Real milliseconds: this one measures a server.
      eraProbeTimeout: options.eraProbeTimeout ?? 5,
      healthProbeTimeout: 3000,
      idleProbeInterval: 30_000,
      stopGraces: STOP_GRACES,
      restartGraces: RESTART_GRACES,
    },
    maxMessageBytes: 1024,
    openServerLog: () => log,
    judge: options.judge ?? judgeNothing,
    findQueue: (name) => options.queues?.find((queue) => queue.name === name),
    createTransport: (config) => find(config.name).createTransport(),
  }
  return { environment, clock, log, cache }
}

export interface HarnessOptions extends EnvironmentOptions {
  readonly server?: FakeServerScript
  readonly config?: Partial<StdioServerConfig>
  readonly policy?: SupervisionPolicy
  readonly owner?: Owner
}

/** One upstream over one fake server, in time that stands still. Its era is known unless a test says otherwise. */
export function createHarness(options: HarnessOptions = {}) {
  const server = new FakeServer(options.server)
  const { era = 'legacy' } = options.server ?? {}
  const learned: Learned = options.learned ?? { era: era === 'dual' ? 'modern' : era }
  const made = createEnvironment(() => server, { ...options, learned })
  const config = createConfig(options.config)
  const { policy = SHARED_POLICY, owner } = options
  const upstream = new Upstream({
    config,
    environment: made.environment,
    policy,
    ...(owner === undefined ? {} : { owner }),
  })
  const logged = (event: string) => made.log.entries.filter((entry) => entry.cat === event)
  return {
    ...made,
    server,
    upstream,
    config,
    logged,
    /** Lets everything happen that needs no time. */
    settle: () => made.clock.advanceAsync(0),
    async start(): Promise<void> {
      upstream.start()
      await made.clock.advanceAsync(0)
    },
    callTool: (name: string, args: JsonObject = {}, call: Partial<Call> = {}) =>
      upstream.request('tools/call', { name, arguments: args }, createCall(call)),
  }
}

const CALLER: Caller = { era: 'legacy', capabilities: { sampling: {}, elicitation: {}, roots: {} } }

export function createCall(overrides: Partial<Call> = {}): Call {
  return {
    id: '1',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    caller: CALLER,
    signal: new AbortController().signal,
    ...overrides,
  }
}

/** The error that a promise ends with; a promise that does not fail is the test's failure. */
export async function failureOf(promise: Promise<unknown>): Promise<SwitchboardError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome && outcome.error instanceof SwitchboardError) return outcome.error
  throw new Error(`Expected a SwitchboardError, got ${JSON.stringify(outcome)}`)
}

/** For a scripted method: keeps silent until the test answers. */
export function hold(): undefined {
  return undefined
}
