/**
 * Where everything of one person's Switchboard is, from the path of its home alone. Front, daemon, command and extension
 * meet in these names; nobody writes them out a second time. Pure: nothing is looked at, nothing is made.
 */
import { createShortHash } from '../naming/short-hash.ts'

export interface HomePaths {
  readonly directory: string
  readonly configFile: string
  readonly logs: string
  readonly traces: string
  readonly cache: string
  readonly modes: string
  /** What a person lets in: definitions of servers as they were accepted. */
  readonly trust: string
  /** A folder for each server that has no `cwd`, where what it stores stays and where it sees nothing of ours. */
  readonly servers: string
  /** What packs keep for good: one SQLite file, written by one process. */
  readonly store: string
  /** Of bearer tokens; need not exist. */
  readonly tokens: string
  /** The one of them that printed connect lines carry, in the clear (0600); need not exist. */
  readonly connectToken: string
  /** What is kept secret for the person (0700): a file each. */
  readonly secrets: string
  /** What only a running daemon has (0700). */
  readonly run: string
  /** A SQLite file that is locked as long as its daemon lives. Never open it through `fs`: that drops the lock. */
  readonly lock: string
  /** A SQLite file with the number of the last daemon; higher is newer. */
  readonly epoch: string
  /** Who holds the lock, for people and error messages (`DaemonInfo`). */
  readonly info: string
  /** Made by whoever is about to start a daemon, so that ten do not start ten. A hint, never the lock. */
  readonly starting: string
  /** The secret of the TCP endpoint (0600). */
  readonly ipcToken: string
}

/** `separator`: of the platform's paths. */
export function homePaths(directory: string, separator = '/'): HomePaths {
  const at = (...parts: string[]): string => [directory, ...parts].join(separator)
  return {
    directory,
    configFile: at('config.json'),
    logs: at('logs'),
    traces: at('traces'),
    cache: at('cache'),
    modes: at('modes'),
    trust: at('trust'),
    servers: at('servers'),
    store: at('data', 'store.db'),
    tokens: at('tokens.json'),
    connectToken: at('connect-token'),
    secrets: at('secrets'),
    run: at('run'),
    lock: at('run', 'daemon.lock'),
    epoch: at('run', 'epoch.db'),
    info: at('run', 'daemon.json'),
    starting: at('run', 'starting'),
    ipcToken: at('run', 'ipc-token'),
  }
}

/** Longer ones are cut by the system without a word. */
const MAX_SOCKET_BYTES = 103

export interface EndpointOptions {
  readonly platform: string
  /** Of the user; for a name that no other user has. */
  readonly user: string
  /** A folder of this user's alone, for a home whose own path is too long. */
  readonly runtimeDirectory: string
}

/** Where the daemon of that home listens: a unix socket in its own folder, or a named pipe. */
export function daemonEndpoint(home: HomePaths, { platform, user, runtimeDirectory }: EndpointOptions): string {
  const hash = createShortHash(home.directory)
  if (platform === 'win32') return `\\\\.\\pipe\\switchboard-${user.replace(/[^\w.-]/g, '_')}-${hash}`
  const own = `${home.run}/daemon.sock`
  return new TextEncoder().encode(own).length <= MAX_SOCKET_BYTES ? own : `${runtimeDirectory}/${hash}.sock`
}

/** Of `os.userInfo()`. */
export interface LocalUser {
  readonly uid: number
  readonly username: string
}

/**
 * The same for every process of a user, whatever its environment: a front that a desktop started and a daemon from a
 * terminal may have different XDG_RUNTIME_DIR and TMPDIR.
 */
export function localEndpointOptions(platform: string, { uid, username }: LocalUser): EndpointOptions {
  return { platform, user: username, runtimeDirectory: `/tmp/switchboard-${uid}` }
}
