/**
 * The programs that are measured, bundled the way the command is shipped: stripping types at run time would cost each of
 * them tens of megabytes and most of their start.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  /** The switchboard command as it is now; in its bundle there is nothing else. */
  buildCommand(): Promise<string>
  /** The front beside the command, which it starts as the daemon. */
  buildFront(): Promise<string>
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
    buildCommand: async () => {
      // Started as a file of this name, it runs itself.
      const outfile = join(folder, 'switchboard.mjs')
      const entryPoints = ['packages/cli/src/main.ts']
      await build({ absWorkingDir: join(here, '..', '..'), entryPoints, outfile, external: EXTERNAL, ...SHARED })
      return outfile
    },
    buildFront: async () => {
      const outfile = join(folder, 'front.mjs')
      const absWorkingDir = join(here, '..', '..')
      // What bin/switchboard.mjs does for `mcp`.
      const contents = "import { runFrontProgram } from './packages/cli/src/front/main.ts'\nawait runFrontProgram()"
      await build({ absWorkingDir, stdin: { contents, resolveDir: absWorkingDir }, outfile, ...SHARED })
      return outfile
    },
    createFolder: () => mkdtemp(join(folder, 'data-')),
    [Symbol.asyncDispose]: () => removeFolder(folder),
  }
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
