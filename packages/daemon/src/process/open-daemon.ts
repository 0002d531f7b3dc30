/** Everything that has to be so before there is a daemon, in its order; undone in reverse when a step fails. */
import type { DaemonInfo, HomePaths } from '@switchboard/protocol/ipc'
import { createFileLogger, type Logger, logFileName, readLogLevel } from '@switchboard/telemetry'
import { findEndpoint } from '../ipc/endpoint.ts'
import { DaemonLock } from '../lock/daemon-lock.ts'
import { Epoch } from '../lock/epoch.ts'
import { readDaemonInfo, removeDaemonInfo, writeDaemonInfo } from '../lock/info-file.ts'
import { DAEMON_INSTANCE } from '../runtime/open-switchboard.ts'
import { Daemon, type DaemonOptions } from './daemon.ts'
import { endLeftovers } from './end-leftovers.ts'
import { ensurePrivateDirectory } from './private-directory.ts'
import { UndoStack } from './undo-stack.ts'

/** Rejects with `lock_held`, `invalid_configuration` or `daemon_unavailable`; nothing is left behind then. */
export async function openDaemon(options: DaemonOptions): Promise<Daemon> {
  const { paths, version, env } = options
  const undo = new UndoStack()
  try {
    await ensurePrivateDirectory(paths.run)
    const lock = await DaemonLock.acquire({ file: paths.lock, infoFile: paths.info })
    undo.add(() => lock.release())
    const epoch = Epoch.bump(paths.epoch)
    const info: DaemonInfo = {
      pid: process.pid,
      epoch: epoch.number,
      version,
      endpoint: findEndpoint(paths),
      started_at: new Date().toISOString(),
    }
    const killed = await readDaemonInfo(paths.info)
    await writeDaemonInfo(paths.info, info)
    undo.add(async () => {
      if (epoch.isCurrent()) await removeDaemonInfo(paths.info, info)
    })
    const log = options.openLog?.() ?? openDaemonLog(paths, env)
    undo.add(() => log.close())
    if (killed !== undefined) {
      const leftovers = endLeftovers(killed, log)
      undo.add(() => leftovers.stop())
    }
    const daemon = new Daemon({ options, info, log, epoch, undo })
    await daemon.open()
    return daemon
  } catch (error) {
    await undo.run()
    throw error
  }
}

function openDaemonLog(paths: HomePaths, env: DaemonOptions['env']): Logger {
  const file = logFileName({ runtime: 'daemon' })
  return createFileLogger({ directory: paths.logs, file, inst: DAEMON_INSTANCE, level: readLogLevel(env) })
}
