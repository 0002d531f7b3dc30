/** A daemon that outlives whoever started it: no terminal, no window, no pipe to us, and nobody's workspace as its folder. */
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { HomePaths } from '@switchboard/protocol/ipc'
import type { ProgramCommand } from './daemon-program.ts'

export interface SpawnDaemonOptions {
  readonly home: HomePaths
  readonly program: ProgramCommand
  readonly env: Readonly<Record<string, string | undefined>>
  /** Another configuration file than that of the home. */
  readonly configFile?: string | undefined
}

export interface SpawnedDaemon {
  /** Set when it has ended. */
  readonly exit: { readonly code: number | null; readonly reason: string } | undefined
}

const STDERR_LIMIT = 256 * 1024
const KEPT_LINES = 8

/** What a daemon wrote before its log was open, or when that failed. */
function stderrFile(home: HomePaths): string {
  return join(home.run, 'daemon.stderr')
}

export function spawnDaemon({ home, program, env, configFile }: SpawnDaemonOptions): SpawnedDaemon {
  // Most fronts find a daemon that runs and never need it.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const spawned: { exit: SpawnedDaemon['exit'] } = { exit: undefined }
  // Nor does it belong to the family or the owner of a program that started it: it would be ended with them.
  const {
    SWITCHBOARD_INSTANCE_ID: _ofTheWindow,
    SWITCHBOARD_FAMILY: _ofTheProgram,
    SWITCHBOARD_OWNER: _ofItsOwner,
    ...own
  } = env
  // Emptied once, then only appended to: others may cut it while the daemon has it open.
  closeSync(openSync(stderrFile(home), 'w', 0o600))
  const stderr = openSync(stderrFile(home), 'a', 0o600)
  const config = configFile === undefined ? [] : ['--config', configFile]
  try {
    const child = spawn(program.file, [...program.args, 'daemon', '--home', home.directory, ...config], {
      cwd: home.directory,
      env: own,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', stderr],
    })
    child.once('error', (error) => {
      spawned.exit = { code: null, reason: error.message }
    })
    child.once('exit', (code, signal) => {
      spawned.exit = { code, reason: signal === null ? `code ${code}` : signal }
    })
    child.unref()
  } finally {
    closeSync(stderr)
  }
  return spawned
}

/** A daemon that runs for weeks and whose log fails writes there. */
export function trimStderr(home: HomePaths): void {
  try {
    if (statSync(stderrFile(home)).size > STDERR_LIMIT) truncateSync(stderrFile(home))
  } catch {
    // Not there: nothing to trim.
  }
}

/** Why there is no daemon, in the words of the daemon that did not come up. */
export function createStartError(home: HomePaths, what: string): SwitchboardError {
  const lines = readStderr(home)
  const said = lines.findLast((line) => line.startsWith('error:'))?.slice('error:'.length)
  const cure = lines.findLast((line) => line.startsWith('hint:'))?.slice('hint:'.length)
  const last = said ?? lines.at(-1)
  const message = last === undefined ? `${what}.` : `${what}: ${last.trim()}`
  return new SwitchboardError('daemon_unavailable', message, {
    ...(cure === undefined ? {} : { hint: cure.trim() }),
    details: { stderr: lines },
  })
}

function readStderr(home: HomePaths): string[] {
  try {
    const lines = stripVTControlCharacters(readFileSync(stderrFile(home), 'utf8')).split('\n')
    return lines.filter((line) => line.trim() !== '').slice(-KEPT_LINES)
  } catch {
    return []
  }
}
