/**
 * The programs that are measured, bundled the way the command is shipped: stripping types at run time would cost each of
 * them tens of megabytes and most of their start.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))

/** As scripts/run/bundle.mjs has them. */
const EXTERNAL = ['undici', 'ws', 'ajv', 'ajv/*']
const SHARED = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  conditions: ['switchboard-source'],
  mainFields: ['module', 'main'],
  logLevel: 'warning',
} satisfies BuildOptions

export interface Programs extends AsyncDisposable {
  readonly driver: string
  readonly fleet: string
  readonly echoServer: string
  readonly httpEchoServer: string
  readonly sdkEchoServer: string
  readonly sdkHttpEchoServer: string
  readonly loopbackOnly: string
  /** Removed with the programs. */
  createFolder(): Promise<string>
}

export async function buildPrograms(): Promise<Programs> {
  const folder = await createRunFolder(here)
  await build({
    absWorkingDir: here,
    entryPoints: [
      'drivers/driver.ts',
      'drivers/fleet.ts',
      'servers/echo-server.ts',
      'servers/http-echo-server.ts',
      'servers/sdk-echo-server.ts',
      'servers/sdk-http-echo-server.ts',
      'gateway/loopback-only.ts',
    ],
    entryNames: '[name]',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    external: [...EXTERNAL, '@modelcontextprotocol/*'],
    ...SHARED,
  })
  return {
    driver: join(folder, 'driver.mjs'),
    fleet: join(folder, 'fleet.mjs'),
    echoServer: join(folder, 'echo-server.mjs'),
    httpEchoServer: join(folder, 'http-echo-server.mjs'),
    sdkEchoServer: join(folder, 'sdk-echo-server.mjs'),
    sdkHttpEchoServer: join(folder, 'sdk-http-echo-server.mjs'),
    loopbackOnly: join(folder, 'loopback-only.mjs'),
    createFolder: () => mkdtemp(join(folder, 'data-')),
    [Symbol.asyncDispose]: () => removeFolder(folder),
  }
}

export interface Command {
  /** The bundle that runs everything, with the programs of its threads beside it. */
  readonly command: string
  /** What an agent's window starts. */
  readonly program: string
}

/** The switchboard command of a clone as it is shipped, built by the clone's own scripts where it is not current. */
export async function buildCommand(root = join(here, '..', '..')): Promise<Command> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'run.mjs'), 'start', '--version'])
  const folder = join(root, 'packages', 'cli')
  return { command: join(folder, 'dist', 'switchboard.mjs'), program: join(folder, 'bin', 'switchboard.mjs') }
}

export interface BuiltDriver extends AsyncDisposable {
  readonly driver: string
}

/** The driver of another clone, whose sources are in this folder, with that clone's packages. */
export async function buildDriver(sources: string): Promise<BuiltDriver> {
  const folder = await createRunFolder(sources)
  const driver = join(folder, 'driver.mjs')
  const external = [...EXTERNAL, '@modelcontextprotocol/*']
  await build({ absWorkingDir: sources, entryPoints: ['drivers/driver.ts'], outfile: driver, external, ...SHARED })
  return { driver, [Symbol.asyncDispose]: () => removeFolder(folder) }
}

/** Inside the package, so that what stays outside of the bundles is found in node_modules. */
async function createRunFolder(sources: string): Promise<string> {
  const parent = join(sources, '..', 'dist')
  await mkdir(parent, { recursive: true })
  return await mkdtemp(join(parent, 'run-'))
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}
