/** `switchboard mcp`: from the options to an exit code. Whatever the log does, it never is the reason of a failure. */
import type { Readable, Writable } from 'node:stream'
import { within } from '@switchboard/base'
import { type AttachParams, type HomePaths, IPC_VERSION } from '@switchboard/protocol/ipc'
import { createFileLogger, type Logger, logFileName, readLogLevel } from '@switchboard/telemetry'
import type { OptionValues } from '../command-line/option-values.ts'
import { readDuration } from '../command-line/read-duration.ts'
import { openHome, readInstanceId } from '../context/home.ts'
import { readWindowEnvironment } from '../context/window-environment.ts'
import { chooseWorkspace } from '../context/workspace.ts'
import { findDaemonProgram } from '../daemon-process/daemon-program.ts'
import { exitCodeOfInterruption } from '../program/exit-code.ts'
import { type Interruption, type Io, readInterruption } from '../program/io.ts'
import { VERSION } from '../program/program-version.ts'
import { watchParent } from '../program/watch-parent.ts'
import { Front } from './front.ts'
import { openLink } from './open-link.ts'

/** A disk that hangs must not keep a front whose agent is gone. */
const LOG_GRACE_MS = 1_000

export interface PreparedFront {
  readonly attach: AttachParams
  readonly home: HomePaths
  /** For a daemon that this front starts. */
  readonly configFile: string | undefined
}

/** Rejects for a command line, an instance id or a home that cannot be used. Nothing but the home's folder is made. */
export async function prepareFront(options: OptionValues, io: Pick<Io, 'env' | 'cwd'>): Promise<PreparedFront> {
  const attach = readAttachParams(options, io)
  const home = await openHome(options, io)
  return { attach, home, configFile: home.isConfigExplicit ? home.configFile : undefined }
}

/** `node`: for a daemon that this front starts, where its own is too old for one. */
export async function runFront({ attach, home, configFile }: PreparedFront, io: Io, node?: string): Promise<number> {
  const { instance, profile, workspace } = attach
  const file = logFileName({ runtime: 'front', inst: instance })
  const log = createFileLogger({ directory: home.logs, file, inst: instance, level: readLogLevel(io.env) })
  const isOwnId = io.env.SWITCHBOARD_INSTANCE_ID === undefined
  log.info(
    'mcp.init',
    `front started${isOwnId ? '; no SWITCHBOARD_INSTANCE_ID was given, this id is a fresh one' : ''}`,
    {
      version: VERSION,
      pid: process.pid,
      ppid: process.ppid,
      profile,
      workspace,
    },
  )
  if (io.stdin.isTTY === true) io.stderr.write('This speaks MCP: it is for agents to start. Ctrl-D ends it.\n')
  const front = new Front({
    // Only tests give other streams than those of the process, and theirs are these as well.
    input: io.stdin as Readable,
    output: io.stdout as Writable,
    log,
    open: (request) => openLink({ home, env: io.env, configFile, attach, program: findDaemonProgram(node) }, request),
  })
  const reason = await serve(front, io)
  log.info('mcp.dispose', `${reason}, shutting down`)
  front.close()
  await closeLog(log)
  const interruption = readInterruption(io.signal)
  return interruption === undefined ? 0 : exitCodeOfInterruption(interruption)
}

/** Until the agent is gone; why. */
async function serve(front: Front, { signal }: Io): Promise<string> {
  const { promise: orphaned, resolve: onOrphaned } = Promise.withResolvers<string>()
  const watch = watchParent(() => onOrphaned('the parent process is gone'))
  const { promise: interrupted, resolve: onInterrupted } = Promise.withResolvers<string>()
  const onAbort = (): void => onInterrupted(describeInterruption(readInterruption(signal)))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  front.start()
  const reason = await Promise.race([front.ended, orphaned, interrupted])
  signal.removeEventListener('abort', onAbort)
  watch[Symbol.dispose]()
  return reason
}

function readAttachParams(options: OptionValues, { env, cwd }: Pick<Io, 'env' | 'cwd'>): AttachParams {
  const workspace = chooseWorkspace(options.text('workspace'), cwd)
  const timeout = options.text('timeout')
  return {
    protocol: IPC_VERSION,
    role: 'front',
    instance: readInstanceId(env),
    profile: options.text('profile') ?? 'default',
    ...(workspace === undefined ? {} : { workspace }),
    ...(options.flag('no-project') ? { project: false } : {}),
    ...readWindowEnvironment(env),
    ...(timeout === undefined ? {} : { timeout: readDuration(timeout, 'timeout', 'mcp') }),
    tells_times: true,
    pid: process.pid,
    version: VERSION,
  }
}

function describeInterruption(interruption: Interruption | undefined): string {
  if (interruption?.kind === 'signal') return `${interruption.signal} received`
  return interruption?.kind === 'broken_pipe' ? 'nobody reads stdout any more' : 'a bug was hit'
}

async function closeLog(log: Logger): Promise<void> {
  await within(log.close(), LOG_GRACE_MS)
}
