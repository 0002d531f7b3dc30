/**
 * The programs that are measured, bundled the way the command is shipped: stripping types at run time would cost each of
 * them tens of megabytes and most of their start.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))

export interface Programs extends AsyncDisposable {
  readonly driver: string
  readonly fleet: string
  readonly echoServer: string
  readonly httpEchoServer: string
  /** Removed with the programs. */
  createFolder(): Promise<string>
}

export async function buildPrograms(): Promise<Programs> {
  // Inside the package, so that what stays outside of the bundles is found in node_modules.
  const parent = join(here, '..', 'dist')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'run-'))
  await build({
    absWorkingDir: here,
    entryPoints: ['drivers/driver.ts', 'drivers/fleet.ts', 'servers/echo-server.ts', 'servers/http-echo-server.ts'],
    entryNames: '[name]',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['switchboard-source'],
    mainFields: ['module', 'main'],
    external: ['undici', 'ws', 'ajv', 'ajv/*', '@modelcontextprotocol/*'],
    logLevel: 'warning',
  })
  return {
    driver: join(folder, 'driver.mjs'),
    fleet: join(folder, 'fleet.mjs'),
    echoServer: join(folder, 'echo-server.mjs'),
    httpEchoServer: join(folder, 'http-echo-server.mjs'),
    createFolder: () => mkdtemp(join(folder, 'data-')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  }
}
