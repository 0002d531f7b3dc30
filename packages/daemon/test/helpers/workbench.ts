/** Switchboards on free ports with fixture servers behind them; all of it is gone when its test, or its suite, is over. */
import { writeFile } from 'node:fs/promises'
import { type HttpOverrides, Switchboard } from '@switchboard/daemon'
import { checkPoolConfig, type McpPoolInput, type ServerInput } from '@switchboard/pool'
import type { JsonObject } from '@switchboard/protocol'
import { createMemoryLogger, type MemoryLogger, silentLogger } from '@switchboard/telemetry'
import {
  createLeakCheck,
  createTemporaryDirectory,
  expectNoProcessLeft,
  type FixtureScript,
  fixtureCommand,
  type TemporaryDirectory,
  waitFor,
} from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { exchange } from './http-agent.ts'
import { type Program, type ProgramOptions, startProgram } from './program.ts'

export interface Serving {
  /** Without a path. */
  readonly url: string
  readonly mcp: string
}

export interface ServeProcess extends Serving, Program {
  /** Sends the signal and resolves with how it ended. */
  stop(signal?: NodeJS.Signals): Promise<number | string>
}

export interface OpenSwitchboard extends Serving {
  readonly switchboard: Switchboard
  readonly log: MemoryLogger
}

export interface Workbench {
  /** In the command line of every fixture. */
  readonly marker: string
  readonly home: TemporaryDirectory
  /** An entry of `mcpServers`: the fixture with a journal of that name. */
  fixture(name: string, script?: FixtureScript, settings?: ServerInput): ServerInput
  journal(name: string): string
  writeConfig(config: McpPoolInput): Promise<void>
  program(argv: readonly string[], options?: Omit<ProgramOptions, 'home'>): Program
  /** `switchboard serve` on a free port; resolves when it says where. */
  serve(config: McpPoolInput, argv?: readonly string[]): Promise<ServeProcess>
  /** The same in this process, with its servers up. Default: on a free port, whatever the configuration says. */
  open(config: McpPoolInput, overrides?: HttpOverrides): Promise<OpenSwitchboard>
  /** Undone at the end, last first. */
  defer(cleanup: () => unknown): void
}

const SOCKETS = new Set(['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap'])
let benches = 0
/** Most tests are about servers and count what is listed; those about packs say so. */
const WITHOUT_PACKS: McpPoolInput = { packs: { debug: { enabled: false } } }

/** Call it at the top of a suite. What it opens lives for one test, or for the whole suite. */
export function useWorkbench({ per = 'test' }: { per?: 'test' | 'suite' } = {}): Workbench {
  const leaks = createLeakCheck()
  const cleanups: (() => unknown)[] = []
  let directory: TemporaryDirectory | undefined
  let marker = ''
  let socketsBefore = 0

  const begin = async (): Promise<void> => {
    benches++
    marker = `daemon-test-${process.pid}-${benches}`
    directory = await createTemporaryDirectory()
    await leaks.begin()
    socketsBefore = countSockets()
  }
  const end = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    await leaks.check()
    await expectNoProcessLeft(marker)
    await waitFor(() => countSockets() <= socketsBefore, { what: 'the sockets to be closed' })
    await directory?.remove()
  }
  if (per === 'suite') {
    beforeAll(begin)
    afterAll(end)
  } else {
    beforeEach(begin)
    afterEach(end)
  }

  const bench: Workbench = {
    get marker() {
      return marker
    },
    get home() {
      if (directory === undefined) throw new Error('There is a home only while a test runs')
      return directory
    },
    journal: (name) => bench.home.file(`${name}.journal`),
    fixture: (name, script = {}, settings = {}) => ({
      ...fixtureCommand({ marker, journal: bench.journal(name), ...script }),
      ...settings,
    }),
    writeConfig: (config) => writeFile(bench.home.file('config.json'), JSON.stringify({ ...WITHOUT_PACKS, ...config })),
    program(argv, options = {}) {
      const program = startProgram(argv, { home: bench.home.path, ...options })
      cleanups.push(async () => {
        if (program.child.exitCode === null && program.child.signalCode === null) program.child.kill('SIGTERM')
        await program.ended
      })
      return program
    },
    async serve(config, argv = []) {
      await bench.writeConfig(config)
      const program = bench.program(['serve', '--port', '0', '--json', ...argv])
      const failed = program.ended.then((code) => {
        throw new Error(`serve ended with ${code}: ${program.out()}${program.err()}`)
      })
      // From when it listens on, its end is news for `ended` alone.
      failed.catch(() => {})
      const listening = waitFor(() => /"url":"([^"]+)"/.exec(program.out())?.[1], { timeout: 30_000 })
      const mcp = await Promise.race([listening, failed])
      const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
        program.child.kill(signal)
        return program.ended
      }
      return { ...program, mcp, url: mcp.slice(0, -'/mcp'.length), stop }
    },
    async open(config, overrides = { port: 0 }) {
      const log = createMemoryLogger({ level: 'warn' })
      const switchboard = new Switchboard({
        config: checkPoolConfig({ ...WITHOUT_PACKS, ...config }, { env: process.env }),
        serverInfo: { name: 'switchboard', version: '0.1.0' },
        log,
        openServerLog: () => silentLogger,
        cacheDirectory: bench.home.file('cache'),
        tokensFile: bench.home.file('tokens.json'),
      })
      cleanups.push(() => switchboard.close())
      const { url } = await switchboard.listen(overrides)
      switchboard.start()
      await switchboard.pool.ready()
      return { url, mcp: `${url}/mcp`, switchboard, log }
    },
    defer: (cleanup) => void cleanups.push(cleanup),
  }
  return bench
}

/** What `/healthz` counts. */
export async function readHealth({ url }: Serving): Promise<JsonObject> {
  return (await exchange(`${url}/healthz`, { method: 'GET' })).messages[0] ?? {}
}

/** Resolves when every server that is named is up. */
export async function waitUntilReady({ url }: Serving, names: readonly string[]): Promise<void> {
  await waitFor(
    async () => {
      const [body] = (await exchange(`${url}/readyz`, { method: 'GET' })).messages
      const providers = (body?.providers ?? {}) as JsonObject
      return names.every((name) => providers[name] === 'ready')
    },
    { what: `${names.join(', ')} to be ready`, timeout: 30_000 },
  )
}

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => SOCKETS.has(name)).length
}
