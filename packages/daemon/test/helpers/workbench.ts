/** Switchboards on free ports with fixture servers behind them; all of it is gone when its test, or its suite, is over. */

import { writeFile } from 'node:fs/promises'
import { type HttpOverrides, Switchboard } from '@switchboard/daemon'
import type { ServerInput } from '@switchboard/pool'
import type { JsonObject } from '@switchboard/protocol'
import { createMemoryLogger, type MemoryLogger, silentLogger } from '@switchboard/telemetry'
import {
  type FixtureScript,
  type PipedProgram,
  type ProgramOptions,
  readObjectWith,
  startProgram,
  type TemporaryDirectory,
  waitFor,
} from '@switchboard/testkit'
import { exchange } from '@switchboard/testkit/http'
import { type BenchOptions, useBench } from '@switchboard/testkit/suite'
import { type SwitchboardInput, switchboardFile } from '../../src/configuration/switchboard-file.ts'
import { CONFIGURABLE_PACKS } from '../../src/packs/packs.ts'

export interface Serving {
  /** Without a path. */
  readonly url: string
  readonly mcp: string
}

export interface ServeProcess extends Serving, PipedProgram {
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
  writeConfig(config: SwitchboardInput): Promise<void>
  program(argv: readonly string[], options?: Omit<ProgramOptions, 'home'>): PipedProgram
  /** `switchboard serve` on a free port; resolves when it says where. */
  serve(
    config: SwitchboardInput,
    argv?: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<ServeProcess>
  /** The same in this process, with its servers up. Default: on a free port, whatever the configuration says. */
  open(config: SwitchboardInput, overrides?: HttpOverrides): Promise<OpenSwitchboard>
  /** Undone at the end, last first. */
  defer(cleanup: () => unknown): void
}

/** Most tests are about servers and count what is listed; those about packs say so. */
export const WITHOUT_PACKS: SwitchboardInput = {
  packs: Object.fromEntries(CONFIGURABLE_PACKS.map(({ name }) => [name, { enabled: false }])),
}

/** For tests about the index. */
export const WITH_LENS: SwitchboardInput = { packs: { ...WITHOUT_PACKS.packs, lens: { enabled: true } } }

/** For tests about the memory, and about what packs keep. */
export const WITH_MEMORY: SwitchboardInput = { packs: { ...WITHOUT_PACKS.packs, memory: { enabled: true } } }

/** Call it at the top of a suite. What it opens lives for one test, or for the whole suite. */
export function useWorkbench({ per = 'test' }: Pick<BenchOptions, 'per'> = {}): Workbench {
  const bench = useBench({ name: 'daemon', per })
  const workbench: Workbench = {
    get marker() {
      return bench.marker
    },
    get home() {
      return bench.directory
    },
    journal: bench.journal,
    fixture: (name, script, settings = {}) => ({ ...bench.fixture(name, script), ...settings }),
    writeConfig: (config) =>
      writeFile(bench.directory.file('config.json'), JSON.stringify({ ...WITHOUT_PACKS, ...config })),
    program(argv, options = {}) {
      const program = startProgram(argv, { home: bench.directory.path, ...options })
      bench.defer(async () => {
        if (program.child.exitCode === null && program.child.signalCode === null) program.child.kill('SIGTERM')
        await program.ended
      })
      return program
    },
    async serve(config, argv = [], env = {}) {
      await workbench.writeConfig(config)
      const program = workbench.program(['serve', '--port', '0', '--json', ...argv], { env })
      const mcp = String((await program.waitForLine(readObjectWith('url'), { what: 'serve to listen' })).url)
      const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
        program.child.kill(signal)
        return program.ended
      }
      return { ...program, mcp, url: mcp.slice(0, -'/mcp'.length), stop }
    },
    async open(config, overrides = { port: 0 }) {
      const log = createMemoryLogger({ level: 'warn' })
      const switchboard = await Switchboard.open({
        config: switchboardFile.check({ ...WITHOUT_PACKS, ...config }, { env: process.env }),
        serverInfo: { name: 'switchboard', version: '0.1.0' },
        log,
        openServerLog: () => silentLogger,
        cacheDirectory: bench.directory.file('cache'),
        storeFile: bench.directory.file('store.db'),
        serversDirectory: bench.directory.file('servers'),
        tokensFile: bench.directory.file('tokens.json'),
        secretsDirectory: bench.directory.file('secrets'),
      })
      bench.defer(() => switchboard.close())
      const { url } = await switchboard.listen(overrides)
      switchboard.start({ isForAgents: true })
      await switchboard.pool.ready()
      return { url, mcp: `${url}/mcp`, switchboard, log }
    },
    defer: bench.defer,
  }
  return workbench
}

/** What `/readyz` counts. */
export async function readHealth({ url }: Serving): Promise<JsonObject> {
  return (await exchange(`${url}/readyz`, { method: 'GET' })).messages[0] ?? {}
}

/** Resolves when every server that is named is up. */
export async function waitUntilReady(
  { url }: Serving,
  names: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await waitFor(
    async () => {
      const [body] = (await exchange(`${url}/readyz`, { method: 'GET', headers })).messages
      const providers = (body?.providers ?? {}) as JsonObject
      return names.every((name) => providers[name] === 'ready')
    },
    { what: `${names.join(', ')} to be ready`, timeout: 30_000 },
  )
}
