/** What is measured, and how each is started with the same upstream. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Programs } from '../build-programs.ts'
import type { ServerCommand } from '../drivers/driver-protocol.ts'
import type { Era } from '../drivers/raw-http-client.ts'
import { RunningProgram } from './running-program.ts'

export interface StartOptions {
  readonly programs: Programs
  /** The folder of one run: configuration, logs, whatever is remembered. */
  readonly folder: string
  readonly upstreams: number
  /** Milliseconds that the tool takes. Default: it answers at once. */
  readonly toolMs?: number
  /** Options of Node for its process. */
  readonly nodeOptions?: readonly string[]
}

export interface RunningContender extends AsyncDisposable {
  readonly url: string
  /** Its processes, without what they started. */
  readonly roots: readonly number[]
  readonly program: RunningProgram
}

export interface Contender {
  readonly name: string
  /** What clients reach it by. The raw client speaks Streamable HTTP only. */
  readonly transport: 'http' | 'sse'
  readonly eras: readonly Era[]
  readonly hasManyUpstreams: boolean
  start(options: StartOptions): Promise<RunningContender>
}

export const OURS = 'switchboard'
/** The same, with a collector that takes every span. */
export const EXPORTING = 'switchboard, exporting'
export const DIRECT = 'direct'

export function createUpstream(programs: Programs, toolMs = 0): ServerCommand {
  return { command: process.execPath, args: [programs.sdkEchoServer, ...(toolMs === 0 ? [] : [String(toolMs)])] }
}

/** In the shape that every MCP client reads. */
export function createServers(programs: Programs, count: number, more: object = {}): { mcpServers: object } {
  const server = { ...createUpstream(programs), ...more }
  const names = Array.from({ length: count }, (_, index) => (count === 1 ? 'bench' : `bench-${index + 1}`))
  return { mcpServers: Object.fromEntries(names.map((name) => [name, server])) }
}

export async function writeJsonFile(file: string, value: object): Promise<string> {
  await writeFile(file, JSON.stringify(value))
  return file
}

/** The same tool without a gateway: the SDK's own HTTP server. */
export const directHttp: Contender = {
  name: DIRECT,
  transport: 'http',
  eras: ['legacy'],
  hasManyUpstreams: false,
  async start({ programs, toolMs = 0, nodeOptions = [] }) {
    const program = new RunningProgram({
      command: process.execPath,
      args: [...nodeOptions, programs.sdkHttpEchoServer, String(toolMs)],
    })
    return await finishStart(program, () => program.waitForOutput(/^(http:\S+)\n/))
  },
}

/** The command as it is shipped, with its defaults: arguments are checked, calls audited, logs written. */
export function createOurs(command: string, collector?: string): Contender {
  const env = collector === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector }
  return {
    name: collector === undefined ? OURS : EXPORTING,
    transport: 'http',
    eras: ['legacy', 'modern'],
    hasManyUpstreams: true,
    async start({ programs, folder, upstreams, toolMs, nodeOptions = [] }) {
      const home = await createOurHome(programs, folder, upstreams, toolMs)
      const program = new RunningProgram({
        command: process.execPath,
        args: [...nodeOptions, command, 'serve', '--port', '0', '--json'],
        env: { SWITCHBOARD_HOME: home, ...env },
      })
      return await finishStart(program, () => program.waitForOutput(/"url":\s*"([^"]+)"/))
    },
  }
}

export async function createOurHome(
  programs: Programs,
  folder: string,
  upstreams: number,
  toolMs?: number,
): Promise<string> {
  const home = join(folder, 'home')
  await mkdir(home, { recursive: true })
  await writeJsonFile(
    join(home, 'config.json'),
    createServers(programs, upstreams, toolMs === undefined ? {} : createUpstream(programs, toolMs)),
  )
  return home
}

/** What does not start is ended. */
export async function finishStart(
  program: RunningProgram,
  waitForUrl: () => Promise<string>,
  helpers: readonly RunningProgram[] = [],
): Promise<RunningContender> {
  await using stack = new AsyncDisposableStack()
  for (const helper of helpers) stack.use(helper)
  stack.use(program)
  const url = await waitForUrl()
  const started = stack.move()
  return {
    url,
    roots: [...helpers, program].map(({ pid }) => pid),
    program,
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}
